/** Something's content, as a text to compare; undefined if it must not exist. */
export type Content = string | undefined

/** One thing found in the database. */
export interface Found {
  readonly key: string
  readonly id: number
  readonly content: string
}

/**
 * What a driver knows from outside, by key: every content that may exist after a crash. That is the last
 * acknowledged one and those of requests in flight. Requests for one key are sent one at a time.
 */
export class Ledger {
  readonly #possible = new Map<string, Set<Content>>()
  readonly #ids = new Map<string, number>()
  /** Requests without a response so far, by key. */
  readonly #flying = new Map<string, Content>()
  readonly #copies: Map<string, Set<Content>>[] = []
  acknowledged = 0
  refused = 0
  /** Requests that got no response, and how many of them were kept anyway. */
  lost = 0
  kept = 0

  /** A request for this content is about to be sent. */
  sends(key: string, content: Content): void {
    this.#may(key).add(content)
    this.#flying.set(key, content)
    for (const copy of this.#copies) copy.set(key, (copy.get(key) ?? new Set([undefined])).add(content))
  }

  /** It got a 2xx. */
  acknowledges(key: string): void {
    this.#possible.set(key, new Set([this.#flying.get(key)]))
    this.#flying.delete(key)
    this.acknowledged++
  }

  /** The response had the id of what was created. */
  identifies(key: string, id: number): void {
    this.#ids.set(key, id)
  }

  /** A request was refused, as it had to be: it must not have changed anything. */
  refuses(key: string): void {
    this.#may(key)
    this.refused++
  }

  /** What is wrong with what is found after a crash; from then on, what is found must stay. */
  faults(found: readonly Found[]): string[] {
    const byKey = new Map(found.map((one) => [one.key, one]))
    const twice = found.filter((one) => byKey.get(one.key) !== one).map(({ key }) => `${key} is there twice`)
    const unknown = [...byKey.keys()].filter((key) => !this.#possible.has(key))
    const wrong = [...this.#possible].flatMap(([key, may]) => this.#faultsOf(key, may, byKey.get(key)))
    this.#settle(byKey)
    return [...twice, ...unknown.map((key) => `${key} was never sent`), ...wrong]
  }

  /**
   * Starts to collect, by key, every content that a copy made from now on may have: those that may exist now, and those
   * requested later. The returned function says what is wrong with such a copy.
   */
  beginCopy(): (found: readonly Found[]) => string[] {
    const possible = new Map([...this.#possible].map(([key, may]) => [key, new Set(may)]))
    this.#copies.push(possible)
    return (found) => {
      const byKey = new Map(found.map((one) => [one.key, one.content]))
      return [...possible].flatMap(([key, may]) =>
        may.has(byKey.get(key))
          ? []
          : [`${key} is ${byKey.get(key)}, not ${[...may].map(String).join(' or ')}`],
      )
    }
  }

  #faultsOf(key: string, may: ReadonlySet<Content>, found: Found | undefined): string[] {
    if (!may.has(found?.content))
      return [`${key} is ${found?.content}, not ${[...may].map(String).join(' or ')}`]
    const id = this.#ids.get(key)
    return found && id !== undefined && found.id !== id ? [`${key} has the id ${found.id}, not ${id}`] : []
  }

  #settle(byKey: ReadonlyMap<string, Found>): void {
    for (const [key, content] of this.#flying) {
      this.lost++
      if (byKey.get(key)?.content === content) this.kept++
      this.#possible.set(key, new Set([byKey.get(key)?.content]))
    }
    this.#flying.clear()
  }

  #may(key: string): Set<Content> {
    const may = this.#possible.get(key) ?? new Set([undefined])
    this.#possible.set(key, may)
    return may
  }
}
