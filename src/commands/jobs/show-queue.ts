import { type AccessOptions, openApi } from '#src/commands/client/api-access.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { plain, shownTime } from '#src/commands/terminal/text-table.ts';
import type { ContractBody } from '#src/jobs/registry/contract-body.ts';

/** One version of a queue's contract, as the API shows it. */
interface Shown {
  readonly name: string;
  readonly version: number;
  readonly contract: ContractBody;
  readonly digest: string;
  readonly registered_by: string;
  readonly registered_at: string;
  readonly changed_at: string;
}

/** Prints the contracts of a queue, the newest version first. */
export async function showQueue(name: string, options: AccessOptions & Printing): Promise<void> {
  const client = await openApi(options);
  const path = `/v1/queues/${encodeURIComponent(name)}`;
  const found = await client.call<{ readonly data: readonly Shown[] }>('GET', path);
  print(options, found, () => found.data.map(contractText).join('\n\n'));
}

function contractText({ name, version, contract, digest, ...of }: Shown): string {
  const { title, payload, result, progress, ...rules } = contract;
  const schemas = { payload, result, ...(progress !== undefined && { progress }) };
  return [
    `${name}@${version}  ${plain(title)}`,
    `registered ${shownTime(of.registered_at)} by ${plain(of.registered_by)}, changed ${shownTime(of.changed_at)}`,
    `digest ${digest}`,
    ...Object.entries(rules).map(([rule, value]) => `${rule} ${JSON.stringify(value)}`),
    ...Object.entries(schemas).map(([part, schema]) => `${part} ${schemaText(schema)}`),
  ].join('\n');
}

/** A schema as JSON in which no character steers the terminal: others wrote it. */
function schemaText(schema: unknown): string {
  return JSON.stringify(schema, null, 2).split('\n').map(withoutControls).join('\n');
}

function withoutControls(line: string): string {
  return line.replaceAll(/\p{C}/gu, '\u{FFFD}');
}
