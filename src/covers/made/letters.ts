/** The text as drawn: single spaces, no full-width Latin, no control or direction characters. */
export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{White_Space}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u{fffd}\u{feff}]/gu, '')
    .replace(/[Ａ-Ｚａ-ｚ０-９]/gu, (letter) => letter.normalize('NFKC'))
    .trim()

/** For text between tags. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const letterCount = (text: string): number => Array.from(text).length

const isKanji = (letter: string) => /\p{Script=Han}/u.test(letter)
const isKatakana = (letter: string) => /[\p{Script=Katakana}ー]/u.test(letter)
const isHiragana = (letter: string) => /\p{Script=Hiragana}/u.test(letter)

/** Digits, and alphabets that put spaces between words. */
const isAlphabetic = (letter: string) =>
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]/u.test(letter)

type Script = 'kanji' | 'katakana' | 'hiragana' | 'alphabet' | 'other'

export function scriptOf(letter: string): Script {
  if (isHiragana(letter)) return 'hiragana'
  if (isKatakana(letter)) return 'katakana'
  if (isKanji(letter)) return 'kanji'
  return isAlphabetic(letter) ? 'alphabet' : 'other'
}

export const isJapanese = (text: string): boolean =>
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)

/** In em, without a font: an upper bound for the fonts of the covers at weight 700. */
export function widthOf(letter: string): number {
  if (/[\u{ff61}-\u{ff9f}]/u.test(letter)) return 0.61
  if (letter >= '\u{2010}' || /[×÷±§¶°´¨\p{Script=Greek}\p{Script=Cyrillic}]/u.test(letter)) return 1
  if (letter === ' ') return 0.3
  if (/[iljI.,:;'!|]/.test(letter)) return 0.32
  if (/[mwMW@%&]/.test(letter)) return 0.95
  return /[\p{Lu}0-9]/u.test(letter) ? 0.73 : 0.61
}

export const widthOfText = (text: string): number =>
  Array.from(text).reduce((width, letter) => width + widthOf(letter), 0)

/** Cuts to `limit` em with … if it is longer. */
export function cutTo(text: string, limit: number): string {
  if (widthOfText(text) <= limit) return text
  let width = widthOf('…')
  let kept = ''
  for (const letter of text) {
    width += widthOf(letter)
    if (width > limit) break
    kept += letter
  }
  return `${kept.trimEnd()}…`
}

/** The cost of a break that is not allowed. */
export const never = Infinity

/** Created on first use: it loads a dictionary, 1 ms that a start can do without. */
let segmenter: Intl.Segmenter | undefined
const particles = new Set([...'のをにはがとでもへよや', 'から', 'まで', 'には', 'では', 'とは'])
const neverFirst =
  /^[ー｜、。，．！？!?,.:;・：；」』】〉》）)\]”’…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〜～\p{M}]|^\u200d|^-/u
const neverLast = /[「『【〈《（([“‘っッ]$/u

/** The cost of a line break before each letter; the first is before the whole title. */
export function breakCosts(letters: readonly string[]): number[] {
  const costs = letters.map(() => insideWord)
  let at = 0
  let before = ''
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  for (const { segment } of segmenter.segment(letters.join(''))) {
    costs[at] = betweenWords(before, segment)
    at += Array.from(segment).length
    before = segment
  }
  return costs.map((cost, place) => costOf(cost, letters[place - 1] ?? '', letters[place] ?? ''))
}

const insideWord = -1

function costOf(between: number, before: string, after: string): number {
  if (neverFirst.test(after) || neverLast.test(before) || after === ' ') return never
  if (before === ' ' || /[、。！？」』】〉》）]/.test(before) || /[「『【〈《（([“]/.test(after)) return 0
  if (/[・：×;:/-]/.test(before)) return 2
  const [left, right] = [scriptOf(before), scriptOf(after)]
  if (left === 'alphabet' && right === 'alphabet') return never
  if (/[!?]/.test(before)) return right === 'alphabet' ? never : 0
  if (between !== insideWord) return between
  if (left === 'other' || right === 'other') return left === right ? never : 20
  return left === 'kanji' && right === 'hiragana' ? 90 : 70
}

function betweenWords(before: string, after: string): number {
  const [left, right] = [scriptOf(before.at(-1) ?? ''), scriptOf(Array.from(after)[0] ?? '')]
  if (particles.has(after)) return 60
  const isParticle = particles.has(before)
  if (isParticle && right !== 'hiragana' && right !== 'other') return 1
  if (left === right) return withinScript(left, isParticle, Math.min(letterCount(before), letterCount(after)))
  if (right === 'kanji' && (left === 'katakana' || left === 'alphabet')) return 4
  if (right === 'hiragana') return letterCount(after) === 1 ? 60 : 6
  return left === 'hiragana' ? 4 : 6
}

function withinScript(script: Script, isAfterParticle: boolean, shortest: number): number {
  if (script === 'kanji') return 15
  if (script === 'katakana') return shortest < 3 ? 40 : 18
  if (isAfterParticle) return 5
  return shortest === 1 ? 30 : 12
}
