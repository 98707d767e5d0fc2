/** The two kinds of files that requests bring: a picture, or something with sound. */
export type InputKind = 'picture' | 'recording';

/** One member of a body that is a file: what the client gave, and what it has to be. */
export interface IntakeInput {
  readonly text: string;
  readonly kind: InputKind;
  readonly field: string;
}

/** The inputs of one request, taken one after the other and bounded together. */
export interface Intake {
  /**
   * Returns the id of the asset that a client's text names: one of the caller's own assets, or bytes that are stored as
   * one now.
   *
   * @throws AppError `invalid_request` naming the field, `payload_too_large` above MEDIA_UPLOAD_MAX_BYTES together,
   *   or `unavailable` where an address does not answer, or no room is left for the bytes.
   */
  readonly take: (input: IntakeInput) => Promise<string>;
  /** Erases the stored bytes: no job comes of the request. */
  readonly abandon: () => Promise<void>;
}
