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

export type Script = 'kanji' | 'katakana' | 'hiragana' | 'alphabet' | 'other'

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
