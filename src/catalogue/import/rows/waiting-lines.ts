import type { KindName } from '../kinds/field'
import type { Naming } from './keys'
import type { Unresolved } from './resolve'

/** Lines waiting for rows, retried once the missing row is named: a chain of lines takes linear time. */
export class WaitingLines {
  readonly #queue: number[]
  #next = 0
  readonly #missing = new Map<number, Unresolved>()
  readonly #forNames = new Map<string, number[]>()
  /** Lines whose id is ambiguous, which only a key can resolve. */
  readonly #forKeys = new Map<string, number[]>()

  constructor(numbers: readonly number[]) {
    this.#queue = [...numbers]
  }

  /** The next line to try; undefined if none is ready. */
  next(): number | undefined {
    return this.#queue[this.#next++]
  }

  add(number: number, missing: Unresolved): void {
    const before = this.#missing.get(number)
    const isAgain =
      before !== undefined && nameOf(before.kind, before.key) === nameOf(missing.kind, missing.key)
    this.#missing.set(number, missing)
    const lines = isAgain ? this.#forKeys : this.#forNames
    const name = nameOf(missing.kind, missing.key)
    const others = lines.get(name)
    if (others === undefined) lines.set(name, [number])
    else others.push(number)
  }

  wake(kind: KindName, key: string, by: Naming): void {
    const name = nameOf(kind, key)
    this.#wake(this.#forNames, name)
    if (by !== 'id') this.#wake(this.#forKeys, name)
  }

  /** The lines that are still waiting, in file order. */
  left(): [number, Unresolved][] {
    const waiting = [...this.#forNames.values(), ...this.#forKeys.values()].flat()
    return waiting
      .sort((one, other) => one - other)
      .flatMap((number) => {
        const missing = this.#missing.get(number)
        return missing === undefined ? [] : [[number, missing]]
      })
  }

  #wake(lines: Map<string, number[]>, name: string): void {
    for (const number of lines.get(name) ?? []) this.#queue.push(number)
    lines.delete(name)
  }
}

const nameOf = (kind: KindName, key: string) => `${kind} ${key}`
