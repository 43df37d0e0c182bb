import type { Read } from '../../../db/open'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { holding } from './candidates'
import { findDirect, keysHolding, soundOf } from './direct'
import { titleOf } from './nicknames'
import { type Hits, scores } from './scores'

/** Every word must match, in any order; stop words are optional. */
export async function findByWords(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  const all = wordsIn(text)
  const words = tellingWords(all)
  if (words.length === 0) return
  if (words.length < all.length) await findDirect(read, kind, words.join(' '), hits, lessWithout)
  // A single word counts only if it is one kanji, which no other way finds inside a text.
  if (words.length < 2 && [...(words[0] ?? '')].length > 1) return
  let common: Set<number> | undefined
  for (const word of words) {
    const rows = await rowsHolding(read, kind, word)
    if (rows !== undefined) common = common?.intersection(rows) ?? rows
    if (common?.size === 0) return
  }
  for (const row of common ?? []) hits.add(row, scores.words)
}

/** Rows with most of the words, if these are rare: one of them may be missing from every known name. */
export async function findBySomeWords(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  const words = tellingWords(wordsIn(text))
  if (words.length < 2) return
  const weights = new Map<number, number>()
  let all = 0
  for (const word of words) {
    const rows = (await rowsHolding(read, kind, word)) ?? new Set()
    // The rarer a word is, the more it tells; one that nothing holds tells as much as one that one row holds.
    const weight = Math.max(0, 1 - Math.log10(Math.max(1, rows.size)) / mostDigits)
    all += weight
    for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight)
  }
  for (const [row, weight] of weights)
    if (weight / all >= leastShare) hits.add(row, scores.someWords * (weight / all))
}

const tellingWords = (all: readonly string[]) =>
  [...new Set(all.filter((word) => !saysLittle.test(word)))].slice(0, mostWords)

/** The words that are not stop words; the text itself if it has none, or nothing else. */
export function withoutStopWords(text: string): string {
  const all = wordsIn(text)
  const words = all.filter((word) => !saysLittle.test(word))
  return words.length === 0 || words.length === all.length ? text : words.join(' ')
}

const wordsIn = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s\p{P}\p{S}]+/u)
    .filter((word) => word !== '')

/** Undefined if the word is too short for the index. */
async function rowsHolding(read: Read, kind: SearchKind, word: string): Promise<Set<number> | undefined> {
  const title = kind === 'works' ? titleOf(word) : undefined
  const rows = await rowsWithWord(read, kind, word)
  if (title === undefined || rows === undefined) return rows
  return rows.union((await rowsWithWord(read, kind, title)) ?? new Set())
}

async function rowsWithWord(read: Read, kind: SearchKind, word: string): Promise<Set<number> | undefined> {
  const written = writtenKey(word)
  const isKanji = /^\p{Script=Han}$/u.test(written)
  if (/^[a-z0-9]{1,2}$/.test(written)) return await rowsWithShortWord(read, kind, written)
  if (written.length < 2 && !isKanji) return undefined
  const found = isKanji
    ? await holding(kind)(read, { terms: `"${written}" * OR "^${written}" *`, sought: written, known: '[]' })
    : [...(await keysHolding(read, kind, written)), ...(await keysHolding(read, kind, soundOf(word)))]
  return new Set(found.map(({ row }) => row))
}

/** Such as the R2 of コードギアス R2: too short for grams, it must be a whole word. */
async function rowsWithShortWord(read: Read, kind: SearchKind, word: string): Promise<Set<number>> {
  const found = await holding(kind)(read, { terms: `"^${word}"`, sought: word, known: '[]' })
  return new Set(
    found.filter(({ key, words }) => (words || key).split(' ').includes(word)).map(({ row }) => row),
  )
}

const saysLittle = /^(?:the|an?|of|movie|tv|ova|劇場版|映画|アニメ|tvアニメ|(?:19|20)\d\d年?)$/
const mostWords = 6
/** A word that 10,000 rows hold tells nothing. */
const mostDigits = 4
const leastShare = 0.3
const lessWithout = 5
