/** Ends this process with one line that says why it cannot start: chaos starts processes while their servers are away. */
export function cannotStart(who: string): (error: unknown) => never {
  return (error) => {
    process.stderr.write(`${who} cannot start: ${String(error)}\n`);
    process.exit(1);
  };
}
