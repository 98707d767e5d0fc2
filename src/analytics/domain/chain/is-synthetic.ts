/** Whether a chain is generated: its source says so in the name it gives the underlying. */
export function isSynthetic({ name }: { readonly name: string }): boolean {
  return /\bsynthetic\b/i.test(name);
}
