import type { KindName } from '../kinds/field'
import type { Naming } from './keys'
import type { Unresolved } from './resolve'

/**
 * Numbers of lines that wait for rows that later lines make. A line is tried again when what it misses is named, so that
 * a chain of lines, each of which needs the next, costs no more than its length.
 */
export class WaitingLines {
  readonly #queue: number[]
  #next = 0
  readonly #missing = new Map<number, Unresolved>()
  /** Lines that any name of the row they miss may help, by that name. */
  readonly #forNames = new Map<string, number[]>()
  /** Lines that were tried again in vain, since two rows have this id: only a key can help them. */
  readonly #forKeys = new Map<string, number[]>()

  constructor(numbers: readonly number[]) {
    this.#queue = [...numbers]
  }

  /** The line to try next; undefined when none is left that could be taken. */
  next(): number | undefined {
    return this.#queue[this.#next++]
  }

  /** Puts off a line until the row it names is known. */
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

  /** Lets the lines that miss this row be tried again. */
  wake(kind: KindName, key: string, by: Naming): void {
    const name = nameOf(kind, key)
    this.#wake(this.#forNames, name)
    if (by !== 'id') this.#wake(this.#forKeys, name)
  }

  /** The lines that wait still, in the order of the file, and what they miss. */
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
