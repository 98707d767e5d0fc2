import { Value } from 'typebox/value';
import { assertExact } from '#src/lib/crypto/canonical-json.ts';
import { checkChain, genesisOf } from '#src/receipts/format/event-chain.ts';
import { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { rootOf } from '#src/receipts/format/seal.ts';
import { eventsName } from '#src/receipts/format/statement.ts';
import { type Count, checked, countOf } from './check.ts';

/** The receipt, if it has the shape of one; otherwise why not, as a sentence. */
export function readShape(receipt: unknown): { receipt: Receipt } | { why: string } {
  // to say what is wrong costs as much again as to see that something is
  const [wrong] = Value.Check(Receipt, receipt) ? [] : Value.Errors(Receipt, receipt);
  if (wrong) return { why: `receipt${wrong.instancePath}: ${wrong.message}${named(wrong.params)}.` };
  try {
    assertExact(receipt);
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
  return { receipt: receipt as Receipt };
}

/** For members that should not be there, which. */
function named(params: object): string {
  const { additionalProperties: names } = params as { additionalProperties?: readonly string[] };
  return names ? ` (${names.join(', ')})` : '';
}

/**
 * Checks whether the parts of a receipt fit each other: nothing was added, removed, changed or put in another order.
 *
 * @param requestedId id of the receipt that was requested, where there was one: another whole receipt is not it
 */
export function checkIntegrity({ id, root, statement, events }: Receipt, requestedId?: string): Count {
  const { receiptId, mission, events: sealed } = statement.predicate;
  const first = statement.subject[0];
  const isMission = id === mission.id && receiptId === id;
  const isRequested = requestedId === undefined || requestedId === id;
  const isHead = first?.name === eventsName(mission.id) && first.digest.sha256 === sealed.head;
  const genesis = genesisOf(mission);
  const right = rootOf(statement);
  const checks = [
    { name: 'shape', verdict: 'pass' as const, reason: 'Every member is there, and no other.' },
    checked(
      'identity',
      !isMission
        ? `expected one id, got ${id}, ${receiptId} in the statement and the mission ${mission.id}.`
        : isRequested
          ? null
          : `expected the receipt ${requestedId}, which was requested, got that of ${id}.`,
      `Receipt and mission are ${id}.`,
    ),
    checked(
      'root',
      right === root ? null : `expected the root ${right} of the statement, got ${root}.`,
      'The root is the hash of the statement.',
    ),
    checked(
      'genesis',
      genesis === sealed.genesis ? null : `expected the genesis ${genesis} of the mission, got ${sealed.genesis}.`,
      'The chain begins with the mission.',
    ),
    checked('events', checkChain(events, sealed), `All ${events.length} events are linked up to the sealed head.`),
    checked(
      'subject',
      isHead ? null : `expected the first subject ${eventsName(mission.id)} to have the digest ${sealed.head}.`,
      'The statement is about this chain.',
    ),
  ];
  return countOf(checks, `${events.length} events form one unbroken chain, and the statement seals its end.`);
}
