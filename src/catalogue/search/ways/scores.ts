/** How well a row matches what was asked; within one of these, what `ranked` tells decides. */
export const scores = {
  exact: 100,
  beginning: 80,
  initials: 78,
  inside: 60,
  pieces: 60,
  words: 50,
  /** Of Latin letters within a word. */
  insideWord: 45,
  typo: 40,
  /** The second piece is within a word. */
  loosePieces: 36,
  /** Of a key that begins alike, by how much of it does. */
  neighbour: 20,
  /** Added where the season, or the medium, is the one that was asked for. */
  season: 45,
  /** Taken off for a name that is not the title, and for a key of how the text sounds. */
  name: 3,
  sound: 3,
  /** Taken off for another work of a series. */
  sibling: 25,
  /** Added where a typo is all that differs, and not only the beginning is alike. */
  wholeTypo: 8,
  /** Taken off for each letter that had to be changed. */
  edit: 8,
} as const

/** The rows that were found, each with its best score. */
export class Hits {
  readonly #scores = new Map<number, number>()

  add(row: number, score: number): void {
    if (score > (this.#scores.get(row) ?? 0)) this.#scores.set(row, score)
  }

  get best(): number {
    let best = 0
    for (const score of this.#scores.values()) best = Math.max(best, score)
    return best
  }

  /** The rows of at least a score, the best first. */
  from(least: number): readonly (readonly [row: number, score: number])[] {
    return [...this.#scores]
      .filter(([, score]) => score >= least)
      .sort(([row, score], [other, otherScore]) => otherScore - score || row - other)
  }
}
