/** Limits how much work runs at a time, with one task per user. */
export class Slots {
  readonly #busy = new Set<number>()
  #waiting: { readonly userId: number; readonly begin: () => void }[] = []

  constructor(private readonly most: number) {}

  async run<T>(userId: number, work: () => Promise<T>): Promise<T> {
    if (this.#isFull(userId))
      await new Promise<void>((begin) => {
        this.#waiting.push({ userId, begin })
      })
    else this.#busy.add(userId)
    try {
      return await work()
    } finally {
      this.#busy.delete(userId)
      this.#next()
    }
  }

  #isFull(userId: number): boolean {
    return this.#busy.size >= this.most || this.#busy.has(userId)
  }

  #next(): void {
    const next = this.#waiting.find(({ userId }) => !this.#isFull(userId))
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#busy.add(next.userId)
    next.begin()
  }
}
