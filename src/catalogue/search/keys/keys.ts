import { fold } from '../../../lib/fold'
import type { RowTexts } from '../texts'
import { addressKey } from './address'
import { isSound } from './grams'
import { inKana } from './loanwords'
import { soundForm } from './sound-key'
import { wordsOf } from './words'
import { writtenForm } from './written-key'

export const keyKinds = { title: 0, name: 1, initials: 2, address: 3 } as const

export interface Key {
  readonly kind: number
  readonly key: string
  /** Separated by spaces; empty for a single word. */
  readonly words: string
  /** Whether it is indexed by grams; Latin texts only by the grams of their sound. */
  readonly hasParts: boolean
}

/** Keys for the spelling and sound of each text, for initials, and for the site. */
export function keysOf({ titles, others, readings, site }: Omit<RowTexts, 'id'>): readonly Key[] {
  const keys = new Map<string, Key>()
  const add: Add = (kind, key, words, hasParts) => {
    if (key === '' || keys.has(key)) return
    keys.set(key, { kind, key, words: words.includes(' ') ? words : '', hasParts })
  }
  for (const title of titles) addText(title, keyKinds.title, add)
  for (const name of others) addText(name, keyKinds.name, add)
  for (const reading of readings.map(withoutMarks)) {
    addSound(folded(reading), keyKinds.name, add)
    const said = asSaid(reading)
    if (said !== reading) addSound(folded(said), keyKinds.name, add)
  }
  if (site !== '') add(keyKinds.address, addressKey(site), '', false)
  return [...keys.values()].slice(0, mostKeys)
}

type Add = (kind: number, key: string, words: string, hasParts: boolean) => void

function addText(text: string, kind: number, add: Add): void {
  addForms(wordsOf(text).join(' '), kind, add)
  // × is silent or read as x: SPYFAMILY, SPYxFAMILY.
  if (text.includes('×')) addForms(wordsOf(text.replaceAll('×', ' x ')).join(' '), kind, add)
  const said = inKana(text)
  if (said !== undefined) addForms(wordsOf(said).join(' '), keyKinds.name, add)
}

function addForms(words: string, kind: number, add: Add): void {
  const plain = folded(words)
  const written = writtenForm(plain)
  const hasSound = addSound(plain, kind, add)
  add(kind, written.replaceAll(' ', ''), written, !hasSound || /[ぁ-ゖ]/.test(written))
}

function addSound(words: string, kind: number, add: Add): boolean {
  const sound = soundForm(words.replaceAll(' ', ''))
  if (!isSound(sound)) return false
  const sounds = words.includes(' ') ? soundForm(words) : sound
  add(kind, sound, sounds, true)
  // Latin words have the initials of their spelling, kana those of their sound.
  const initials = (/[ぁ-ゖ]/.test(words) ? sounds : words).match(/(?<=^| )\w/g) ?? []
  if (initials.length > 2 && initials.length < 7)
    add(keyKinds.initials, initials.join('').toLowerCase(), '', false)
  return true
}

const folded = (words: string) => fold(words).replaceAll('ー', '')

/** In readings, punctuation marks are separate words. */
const withoutMarks = (reading: string) => reading.replace(/[^\p{L}\p{N}ー]+/gu, ' ').trim()

/** With the particles は and へ as pronounced, and numbers as words. */
const asSaid = (reading: string) =>
  reading
    .replace(/ は(?= |$)/g, ' わ')
    .replace(/ へ(?= |$)/g, ' え')
    .replace(/(?<=[0-9]) (?=[0-9])/g, '')
    .replace(/(?<![0-9])[1-9][0-9]?(?![0-9])/g, (digits) => inWords(Number(digits)))

function inWords(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  return `${tens > 1 ? figures[tens] : ''}${tens > 0 ? 'じゅう' : ''}${figures[ones]}`
}

const figures = ['', 'いち', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はち', 'きゅう']

/** Key ids reserved per row; `mostKeys` must be lower. */
export const keysPerRow = 2048
const mostKeys = 2000
