/** The most similar of `words` if at most a third of the letters differ; undefined if there is none. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  const [best] = words
    .map((other) => ({ other, distance: editDistance(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, two) => one.distance - two.distance)
  return best?.other
}

/** A suggestion in parentheses, or ''. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

/** Levenshtein distance in which swapping two neighbours counts as one edit (optimal string alignment). */
export function editDistance(one: string, two: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: two.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= two.length; column++) {
      const cost = one[row - 1] === two[column - 1] ? 0 : 1
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === two[column - 2] && one[row - 2] === two[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + cost,
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, next]
  }
  return at(last, two.length)
}

const at = (row: readonly number[] | undefined, column: number) => row?.[column] ?? 0
