import { bareAddress } from './key-form.ts';

/** From where a key may be used; one or two by name, more by their number. */
export function Addresses({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return 'anywhere';
  const names = of.map(bareAddress);
  return (
    <span className="mono" title={names.join('\n')}>
      {names.slice(0, 2).join(', ')}
      {names.length > 2 && ` and ${names.length - 2} more`}
    </span>
  );
}
