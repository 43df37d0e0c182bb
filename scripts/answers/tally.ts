import type { Answer } from './answer'

export class Tally {
  readonly #began = performance.now()
  #before = this.#began
  #total = 0
  #counts = new Map<number, number>()

  add({ status }: Answer): void {
    this.#total += 1
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  print(section: string): void {
    const now = performance.now()
    const counts = [...this.#counts].toSorted(([one], [other]) => one - other)
    const sum = counts.reduce((whole, [, count]) => whole + count, 0)
    const statuses = counts.map(([status, count]) => `${status}×${count}`).join(' ')
    const seconds = ((now - this.#before) / 1000).toFixed(1)
    console.log(`${section.padEnd(10)} ${String(sum).padStart(5)} in ${seconds.padStart(5)} s: ${statuses}`)
    this.#before = now
    this.#counts = new Map()
  }

  printTotal(): void {
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1)
    console.log(`${this.#total} answers in ${seconds} s`)
  }
}
