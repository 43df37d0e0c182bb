import type { Read } from '../../../db/open'
import { gramsOf, isSound } from '../keys/grams'
import { keyKinds } from '../keys/keys'
import { soundKey } from '../keys/sound-key'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { beginningWith, type Found, holding } from './candidates'
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
  for (const found of await rowsWith(read, kind, written, sound)) {
    const at = found.key.indexOf(isSound(found.key) ? sound : written)
    const score = beginsWord(found, at) ? scores.inside : scores.insideWord
    hits.add(found.row, score - lessOf(found) - less)
  }
}

/** Empty if both are too short for the index. */
export async function rowsWith(read: Read, kind: SearchKind, written: string, sound: string) {
  const terms = [written, sound].flatMap((key) => allOf(gramsOf(key)))
  if (terms.length === 0) return []
  const sought = { written: written || nothing, sound: sound || nothing }
  return await holding(kind)(read, { terms: terms.join(' OR '), ...sought })
}

/** Whether a Latin letter here starts a word; Japanese words are not separated well enough to tell. */
function beginsWord({ key, words }: Found, at: number): boolean {
  if (at === 0 || key.charAt(at) > '\x7f') return true
  let letters = 0
  for (let place = 0; place < words.length && letters <= at; place++) {
    if (words.charAt(place) !== ' ') letters++
    else if (letters === at) return true
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

function fullScore(found: Found, sought: string): number {
  if (found.kind === keyKinds.initials) return scores.initials
  return (found.key === sought ? scores.exact : scores.beginning) - lessOf(found)
}

const lessOf = ({ kind, key }: Found) =>
  (kind === keyKinds.name ? scores.name : 0) + (isSound(key) ? scores.sound : 0)

/** A final き may be the beginning of きょ. */
const beforeSmall = (text: string, sound: string) =>
  sound.endsWith('I') && /[ぁ-ゖァ-ヶ]$/.test(text) ? `${sound.slice(0, -1)}Y` : ''

const leastSound = 3
const nothing = '\n'
