import type { Read } from '../../../db/open'
import { beginningOf, gramsOf, isSound } from '../keys/grams'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { withoutStopWords } from './by-words'
import { beginningWith, type CandidateText, matchingTerms } from './candidates'
import { allOf, soundOf } from './direct'
import { type Hits, scores } from './scores'

/** Prefix matches with one typo, or two from nine letters up; stop words are optional. */
export async function findTypos(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  const said = [...new Set([text, withoutStopWords(text)])]
  for (const key of said.flatMap((one) => [writtenKey(one), soundOf(one)])) {
    if (key.length < leastLength || key.length > longest) continue
    const edits = key.length < 9 ? 1 : 2
    for (const found of await alike(read, kind, key, edits)) {
      const distance = distanceToBeginning(key, found.key, edits)
      if (distance > edits) continue
      const whole = found.key.length <= key.length + edits ? scores.wholeTypo : 0
      hits.add(found.row, scores.typo + whole - scores.edit * distance - (isSound(key) ? scores.sound : 0))
    }
  }
}

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

/** One typo in a short text inside a title; the first letters must be right. */
export async function findTyposInside(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  for (const key of [writtenKey(text), soundOf(text)]) {
    if (key.length < leastLength || key.length > longestInside) continue
    const terms = `"${beginningOf(key.slice(0, firstLetters(key)))}" *`
    for (const { row, words } of await matchingTerms(kind)(read, { terms, limit: mostCandidates })) {
      const distance = leastDistance(key, words.split(' '), 1)
      if (distance <= 1) hits.add(row, scores.typoInside - scores.edit * distance)
    }
  }
}

const leastDistance = (key: string, words: readonly string[], most: number) =>
  Math.min(...words.map((_, at) => distanceToBeginning(key, words.slice(at).join(''), most)))

const firstLetters = (key: string) => (/^[ -~]{3}/.test(key) ? 3 : 2)

/** Keys with the same start, or with (half of) the rest; one letter between them is skipped, for transpositions. */
async function alike(
  read: Read,
  kind: SearchKind,
  key: string,
  edits: number,
): Promise<readonly CandidateText[]> {
  const begin = key.slice(0, firstLetters(key))
  const range = { key: begin, end: `${begin}\u{10ffff}` }
  const sameBeginning = await beginningWith(kind)(read, range)
  const rest = key.slice(Math.min(begin.length + 1, Math.max(1, key.length - begin.length)))
  const parts = edits === 1 ? [rest] : halves(rest)
  const terms = parts.flatMap((part) => allOf(gramsOf(part))).join(' OR ')
  if (terms === '') return sameBeginning
  return [...sameBeginning, ...(await matchingTerms(kind)(read, { terms, limit: mostCandidates }))]
}

function halves(text: string): string[] {
  const half = Math.floor((text.length - 1) / 2)
  return [text.slice(0, half), text.slice(half + 1)]
}

const leastLength = 4
const longest = 40

/** Longer texts take milliseconds. */
const longestInside = 8
const mostCandidates = 1000
