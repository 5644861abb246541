/** The part of pngjs that tests read pictures with. */
declare module 'pngjs' {
  export class PNG {
    readonly width: number;
    readonly height: number;
    /** RGBA. */
    readonly data: Buffer;
    static readonly sync: { read(bytes: Buffer): PNG };
  }
}
