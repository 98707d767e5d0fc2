import { misfit } from '#queues/misfit.ts';
import { isShallow, MOST_LEVELS } from '#src/lib/assert-shallow.ts';
import type { InexactInItem } from '#src/lib/text/inexact-integer.ts';
import { inexactError } from '#src/lib/validation/client-json.ts';
import { describerOf } from '#src/lib/validation/describe-value.ts';
import { Report, type ReportAnswer } from './report-body.ts';

/** Says what is wrong; the other check, which is quicker, says whether something is. */
const describe = describerOf(Report, 'report');

/**
 * Returns the refusal of a value that is no report, with its place, so that it fails no report beside it; null for a
 * report.
 *
 * @param inexact an integer that reading its text has changed
 */
export function reportRefusal(report: unknown, inexact?: InexactInItem): ReportAnswer | null {
  if (!isShallow(report))
    return refusal(
      `report: expected JSON of at most ${MOST_LEVELS} levels of objects and lists, got a deeper one.`,
      '',
    );
  const wrong = misfit(Report, report);
  if (!wrong) return inexact ? refusal(inexactError(inexact, 'report').message, inexact.pointer) : null;
  const described = describe(report);
  if (!described)
    return refusal(`report: expected one that fits, got one whose ${wrong.path || '/'} ${wrong.message}.`, wrong.path);
  return refusal(described.message, described.pointer);
}

const refusal = (message: string, path: string): ReportAnswer => ({
  status: 'refused',
  code: 'invalid_request',
  message,
  path,
});
