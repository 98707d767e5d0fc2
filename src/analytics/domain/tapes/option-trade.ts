/** One option trade as the tape prints it, with the quote at its time. */
export interface OptionTrade {
  /** The tape's own name of the print; a second record under the same name is the same trade. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** OSI symbol without padding, e.g. `SPXW261120C06000000`. */
  readonly contract: string;
  /** Dollars per share. */
  readonly price: number;
  /** Contracts, a whole number above zero. */
  readonly size: number;
  /** Best bid just before the trade, dollars per share; null where there was none, or bid and ask were crossed. */
  readonly bid: number | null;
  readonly ask: number | null;
  /** One leg of a multi-leg order: its price against its own quote says nothing of who wanted it. */
  readonly complex: boolean;
  /** Made in a price-improvement auction. */
  readonly auction: boolean;
  /** Both sides were brought by one broker. */
  readonly cross: boolean;
}
