/**
 * How many edits make a text the beginning of another one: letters added, left out, changed, or two that changed places
 * (optimal string alignment). One more than `most` where it takes more. Tries edits only where the texts differ, so it
 * costs little more than comparing them.
 */
export const distanceToBeginning = (text: string, other: string, most: number): number =>
  edits(text, other, 0, 0, most) ?? most + 1

/** From a place in each of them; undefined where it takes more than `most`. */
function edits(text: string, other: string, from: number, to: number, most: number): number | undefined {
  let [at, beside] = [from, to]
  while (at < text.length && text[at] === other[beside]) {
    at++
    beside++
  }
  if (at === text.length) return 0
  if (most === 0) return undefined
  let fewest: number | undefined
  for (const [skipped, passed] of edited(text, other, at, beside)) {
    const rest = edits(text, other, at + skipped, beside + passed, (fewest ?? most + 1) - 2)
    if (rest !== undefined) fewest = rest + 1
    if (fewest === 1) return 1
  }
  return fewest
}

/** What an edit skips in each text: a changed letter, one too many, one too few, two that changed places. */
function edited(
  text: string,
  other: string,
  at: number,
  beside: number,
): readonly (readonly [number, number])[] {
  const isSwap = text[at] === other[beside + 1] && text[at + 1] === other[beside]
  return isSwap ? [...single, [2, 2]] : single
}

const single = [
  [1, 1],
  [1, 0],
  [0, 1],
] as const
