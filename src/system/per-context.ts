import type { Context } from './context.ts';

/** One value per context, made at its first use: lanes, queues and pools that every caller must share. */
export function perContext<T>(make: (context: Context) => T): (context: Context) => T {
  const made = new WeakMap<Context, T>();
  return (context) => {
    const known = made.get(context);
    if (known !== undefined) return known;
    const value = make(context);
    made.set(context, value);
    return value;
  };
}
