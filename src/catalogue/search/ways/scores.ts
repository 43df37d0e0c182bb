/** Quality of a match; `ranked` orders equal scores. */
export const scores = {
  exact: 100,
  beginning: 80,
  initials: 78,
  inside: 60,
  pieces: 60,
  words: 50,
  /** Scaled by what the matching words tell. */
  someWords: 34,
  insideWord: 45,
  typo: 40,
  loosePieces: 36,
  typoInside: 35,
  /** Scaled by the share of the common prefix. */
  neighbour: 20,
  /** Bonus for the season or medium in the query. */
  season: 45,
  sameMarks: 7,
  /** Penalty for names that are not the title, and for sound keys. */
  name: 3,
  sound: 3,
  sibling: 25,
  wholeTypo: 8,
  edit: 8,
} as const

export class Hits {
  readonly #scores = new Map<number, number>()
  #best = 0

  add(row: number, score: number): void {
    if (score > (this.#scores.get(row) ?? 0)) this.#scores.set(row, score)
    if (score > this.#best) this.#best = score
  }

  get best(): number {
    return this.#best
  }

  get size(): number {
    return this.#scores.size
  }

  toJson(): string {
    return `{${Array.from(this.#scores, ([row, score]) => `"${row}":${score}`).join()}}`
  }

  rowsFrom(least: number): readonly number[] {
    return [...this.#scores.keys()].filter((row) => (this.#scores.get(row) ?? 0) >= least)
  }

  /** Best first. */
  from(least: number): readonly (readonly [row: number, score: number])[] {
    return [...this.#scores]
      .filter(([, score]) => score >= least)
      .sort(([row, score], [other, otherScore]) => otherScore - score || row - other)
  }
}
