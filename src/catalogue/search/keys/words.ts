/**
 * The words of a text, as far as its marks, spaces and changes of script tell: 魔法少女, まどか and マギカ. A reading
 * has spaces between its words.
 */
export const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').match(words) ?? []

const words =
  /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|[\p{Script=Hiragana}ー]+|[\p{Script=Latin}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu

/** How many letters tell where a word begins: one kanji, two kana, three other letters. */
export function leastOf(key: string, at = 0): number {
  const letter = key.charAt(at)
  if (/\p{Script=Han}/u.test(letter)) return 1
  return /[ぁ-ゟ]/.test(letter) ? 2 : 3
}
