import type { Read } from '../../../db/open'
import { beginningOf, gramsOf, isSound } from '../keys/grams'
import { leastOf } from '../keys/keys'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { matchingTerms } from './candidates'
import { allOf, soundOf } from './direct'
import { commonLength } from './neighbours'
import { type Hits, scores } from './scores'

/** Abbreviations: two or three pieces start words in order (まどマギ, ごちうさ, konosuba), or the second is inside one. */
export async function findByPieces(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  for (const key of [writtenKey(text), soundOf(text)]) {
    const terms = termsOf(key)
    if (terms === undefined) continue
    for (const { row, key: whole, words } of await matchingTerms(kind)(read, {
      terms,
      limit: mostCandidates,
    })) {
      const known = words === '' ? [whole] : words.split(' ')
      const pieces = piecesIn(key, known)
      if (pieces !== undefined) hits.add(row, scores.pieces - pieces)
      else if (holdsInOrder(key, known)) hits.add(row, scores.loosePieces)
    }
  }
}

/** A full-text query for a word with the same start and, for any of the cuts, the rest. */
function termsOf(key: string): string | undefined {
  const least = leastOf(key)
  if (key.length > mostLetters(key) || key.length <= least) return undefined
  const rests = cutsOf(key).map((at) => key.slice(at))
  const terms = rests.map(isSound(key) ? begins : termOfRest)
  return terms.length === 0 ? undefined : `${begins(key)} AND (${[...new Set(terms)].join(' OR ')})`
}

function termOfRest(rest: string): string {
  if (isShortWord(rest)) return `"${beginningOf(rest)}"`
  return allOf(gramsOf(rest))[0] ?? begins(rest)
}

const begins = (piece: string) => `"${beginningOf(piece.slice(0, leastOf(piece)))}" *`

/** Cuts that leave both sides long enough. */
const cutsOf = (key: string) =>
  Array.from({ length: key.length }, (_, at) => at).filter(
    (at) =>
      at >= leastOf(key) &&
      (key.length - at >= leastOf(key, at) || (key.charAt(at - 1) > '\x7f' && isShortWord(key.slice(at)))),
  )

/** Such as the Q of エヴァQ and the 0 of 呪術0. */
export const endsInShortWord = (text: string) => /[^ -~][a-z0-9]{1,2}$/.test(writtenKey(text))

/** Too few Latin letters or digits to be the start of a word: they must be a whole one. */
const isShortWord = (piece: string) => /^[a-z0-9]{1,2}$/.test(piece)

/** The smallest number of pieces that each start a word, in order; undefined above `most`. */
export function piecesIn(key: string, words: readonly string[], most = 3): number | undefined {
  if (key === '') return 0
  if (most === 0) return undefined
  if (isShortWord(key)) return words.includes(key) ? 1 : undefined
  let fewest: number | undefined
  for (const [at, word] of words.entries()) {
    for (let length = commonLength(key, word); length >= leastOf(key); length--) {
      const rest = piecesIn(key.slice(length), words.slice(at + 1), most - 1)
      if (rest !== undefined && rest + 1 < (fewest ?? most + 1)) fewest = rest + 1
    }
  }
  return fewest
}

const holdsInOrder = (key: string, words: readonly string[]) =>
  cutsOf(key).some((cut) => {
    const at = words.findIndex((word) => word.startsWith(key.slice(0, cut)))
    return at >= 0 && words.slice(at).join('').indexOf(key.slice(cut), cut) > 0
  })

const mostLetters = (key: string) => (key.charAt(0) > '\x7f' ? 8 : 14)
const mostCandidates = 2000
