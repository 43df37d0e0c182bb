/** How long a piece of reading should take. */
const wantedMs = 10

/** Sizes of pieces by the time that the last one took, as some rows take much longer to read than others. */
export class Pieces {
  constructor(
    public size: number,
    private readonly largest: number,
  ) {}

  async run<T>(read: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const found = await read()
    const fitting = Math.floor((this.size * wantedMs) / Math.max(0.1, performance.now() - begun))
    this.size = Math.min(this.largest, Math.max(1, fitting))
    return found
  }
}
