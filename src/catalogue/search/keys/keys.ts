import type { RowTexts } from '../texts'
import { addressKey } from './address'
import { isSound } from './grams'
import { soundKey, soundWords } from './sound-key'
import { wordsOf } from './words'
import { writtenWords } from './written-key'

/** What a key is of. */
export const keyKinds = { title: 0, name: 1, initials: 2, address: 3 } as const

/** By what a row is found. */
export interface Key {
  readonly kind: number
  readonly key: string
  /** Its words with spaces between them; empty where it is one word. */
  readonly words: string
}

/** The keys of a row: each of its texts as it is written and as it sounds, initials, and its site. */
export function keysOf({ titles, others, readings, site }: Omit<RowTexts, 'id'>): readonly Key[] {
  const keys = new Map<string, Key>()
  const add = (kind: number, key: string, words = '') => {
    if (key !== '' && !keys.has(key)) keys.set(key, { kind, key, words: words.includes(' ') ? words : '' })
  }
  for (const title of titles) addText(title, keyKinds.title, add)
  for (const name of others) addText(name, keyKinds.name, add)
  for (const reading of readings) {
    addSound(reading, keyKinds.name, add)
    if (/ [はへ](?: |$)/.test(reading)) addSound(asSaid(reading), keyKinds.name, add)
  }
  if (site !== '') add(keyKinds.address, addressKey(site))
  return [...keys.values()].slice(0, mostKeys)
}

type Add = (kind: number, key: string, words?: string) => void

function addText(text: string, kind: number, add: Add): void {
  addForms(wordsOf(text).join(' '), kind, add)
  // × is said as nothing or as x: SPYFAMILY, SPYxFAMILY.
  if (text.includes('×')) addForms(wordsOf(text.replaceAll('×', ' x ')).join(' '), kind, add)
}

function addForms(words: string, kind: number, add: Add): void {
  const written = writtenWords(words)
  add(kind, written.replaceAll(' ', ''), written)
  addSound(words, kind, add)
}

function addSound(words: string, kind: number, add: Add): void {
  const sound = soundKey(words)
  if (!isSound(sound)) return
  const sounds = soundWords(words)
  add(kind, sound, sounds)
  // Latin words have their own initials, kana those of their sound.
  const initials = (/[ぁ-ヶ]/.test(words) ? sounds : words).match(/(?<=^| )\w/g) ?? []
  if (initials.length > 2 && initials.length < 7) add(keyKinds.initials, initials.join('').toLowerCase())
}

/** は and へ as they are said where they are particles. */
const asSaid = (reading: string) => reading.replace(/ は(?= |$)/g, ' わ').replace(/ へ(?= |$)/g, ' え')

/** Fewer than the ids that a row has for them. */
export const keysPerRow = 2048
const mostKeys = 2000
