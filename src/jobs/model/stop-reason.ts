/** Why a running job was stopped from outside. Its work is void, except on a drain, where it goes back to its queue. */
export class StopReason extends Error {
  override readonly name = 'StopReason';
  readonly why: 'cancelled' | 'lease_lost' | 'drain';

  constructor(why: StopReason['why']) {
    super(`stopped: ${why}`);
    this.why = why;
  }
}
