import { type ResponseError, type ResponseObject, seconds } from './response-object.ts';

/** End of a response. */
export type Ending =
  | { readonly status: 'completed' | 'cancelled' }
  | { readonly status: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' }
  | { readonly status: 'failed'; readonly error: ResponseError };

/** A response as it is once it has ended. */
export function endedResponse(response: ResponseObject, ending: Ending, at: Date): ResponseObject {
  return {
    ...response,
    status: ending.status,
    completed_at: ending.status === 'completed' ? seconds(at) : null,
    incomplete_details: ending.status === 'incomplete' ? { reason: ending.reason } : null,
    error: ending.status === 'failed' ? ending.error : null,
  };
}
