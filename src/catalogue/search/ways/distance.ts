/** Edits (optimal string alignment) needed to make `text` a prefix of `other`; `most` + 1 if it takes more. */
export const distanceToBeginning = (text: string, other: string, most: number): number =>
  edits(text, other, 0, 0, most) ?? most + 1

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

/** How many letters an edit skips in each text: substitution, insertion, deletion, transposition. */
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
