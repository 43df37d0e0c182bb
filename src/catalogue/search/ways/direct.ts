import type { Read } from '../../../db/open'
import { gramsOf, isSound } from '../keys/grams'
import { keyKinds } from '../keys/keys'
import { soundKey } from '../keys/sound-key'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { beginningWith, type CandidateText, holding } from './candidates'
import { type Hits, scores } from './scores'

/** Keys that equal a text, begin with it or contain it, in spelling or sound. */
export async function findDirect(
  read: Read,
  kind: SearchKind,
  text: string,
  hits: Hits,
  less = 0,
): Promise<void> {
  const written = writtenKey(text)
  const sound = soundOf(text)
  for (const beginning of [written, sound, beforeSmall(text, sound)]) {
    if (beginning === '') continue
    const range = { key: beginning, end: `${beginning}\u{10ffff}` }
    for (const found of await beginningWith(kind)(read, range))
      hits.add(found.row, fullScore(found, beginning) - less)
  }
  for (const sought of [written, sound]) {
    const lessSo = less + (isSound(sought) ? scores.sound : 0)
    // Skips rows that already score as high: sounds score lower than spellings, and mostly find the same rows.
    const known = hits.rowsFrom(scores.inside - lessSo)
    for (const found of await keysHolding(read, kind, sought, known)) {
      const score = beginsWord(found, sought) ? scores.inside : scores.insideWord
      hits.add(found.row, score - lessOfKind(found) - lessSo)
    }
  }
}

/** Empty if the text is too short for the index. */
export async function keysHolding(
  read: Read,
  kind: SearchKind,
  sought: string,
  known: readonly number[] = [],
) {
  const terms = allOf(gramsOf(sought)).join()
  return terms === '' ? [] : await holding(kind)(read, { terms, sought, known: JSON.stringify(known) })
}

/** Whether a Latin letter here starts a word; Japanese words are not separated well enough to tell. */
function beginsWord({ key, words }: CandidateText, sought: string): boolean {
  const at = key.indexOf(sought)
  if (at === 0 || sought.charAt(0) > '\x7f') return true
  // Up to the nth space there are n fewer letters, as the spaces do not count.
  for (let space = words.indexOf(' '), n = 0; space >= 0 && space - n <= at; n++) {
    if (space - n === at) return true
    space = words.indexOf(' ', space + 1)
  }
  return false
}

/** Empty if it is too short to be useful. */
export function soundOf(text: string): string {
  const sound = soundKey(text)
  return isSound(sound) && sound.length >= leastSound ? sound : ''
}

export const allOf = (terms: readonly string[]): readonly string[] =>
  terms.length === 0 ? [] : [`(${terms.map((term) => `"${term}"`).join(' ')})`]

function fullScore(found: CandidateText, sought: string): number {
  if (found.kind === keyKinds.initials) return scores.initials
  return (found.key === sought ? scores.exact : scores.beginning) - lessOf(found)
}

const lessOf = (found: CandidateText) => lessOfKind(found) + (isSound(found.key) ? scores.sound : 0)

const lessOfKind = ({ kind }: CandidateText) => (kind === keyKinds.name ? scores.name : 0)

/** A final き may be the beginning of きょ. */
const beforeSmall = (text: string, sound: string) =>
  sound.endsWith('I') && /[ぁ-ゖァ-ヶ]$/.test(text) ? `${sound.slice(0, -1)}Y` : ''

const leastSound = 3
