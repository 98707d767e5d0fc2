import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import type { SubmitBody } from './submit-body.ts';

type Webhook = NonNullable<SubmitBody['webhook']>;

/** Receivers that are notified of the ends of single jobs. */
export interface JobReceivers {
  /** Id of the receiver; refuses one that is none. */
  readonly find: (context: Context, principal: Principal, webhook: Webhook) => Promise<string>;
  /** Has receivers notified of the ends of jobs. Doing it again changes nothing. */
  readonly keep: (
    context: Context,
    jobs: readonly { readonly job: string; readonly receiver: string }[],
  ) => Promise<void>;
}
