/** Types of the parts of eSpeak NG that are used here; it comes without types. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface SpeechEvent {
    readonly type: string;
    /** Code points before it, and one. */
    readonly text_position: number;
    /** Code points. */
    readonly word_length: number;
    /** ms */
    readonly audio_position: number;
  }

  interface Voice {
    /** 0 where there is such a voice. */
    set_voice(name: string): number;
    /** Words a minute. */
    set_rate(rate: number): void;
    get_samplerate(): number;
    /** Ends early where the callback answers true. */
    synthesize(text: string, callback: (samples: Int16Array | null, events: readonly SpeechEvent[]) => boolean): void;
  }

  export default function open(): Promise<{ readonly eSpeakNGWorker: new () => Voice }>;
}
