import { misfit } from '#queues/misfit.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { AppError } from '#src/lib/errors.ts';
import { describeValidation } from '#src/lib/validation/describe-validation.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';
import { Report, type ReportAnswer } from './report-body.ts';

/** Says what is wrong; the other check, which is quicker, says whether something is. */
const described = buildValidators({})({ schema: Report as object, method: '', url: '', httpPart: 'body' });

/** The refusal of a report that is none, with its place; null for one that fits. So it fails nothing beside it. */
export function misfitOf(report: unknown): ReportAnswer | null {
  try {
    assertShallow(report);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: 'refused', code: 'invalid_request', message: error.message.replace('body:', 'report:'), path: '' };
  }
  const wrong = misfit(Report, report);
  if (!wrong) return null;
  const fits = described(report) === true;
  if (fits) {
    const message = `report: expected one that fits, got one whose ${wrong.path || '/'} ${wrong.message}.`;
    return { status: 'refused', code: 'invalid_request', message, path: wrong.path };
  }
  const { field, message } = describeValidation(described.errors ?? [], 'report');
  const path = field
    .slice('report'.length)
    .replace(/\[(\d+)\]/g, '/$1')
    .replaceAll('.', '/');
  return { status: 'refused', code: 'invalid_request', message, path };
}
