/** Splits at punctuation, spaces and changes of script: 魔法少女, まどか and マギカ. */
export const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').match(words) ?? []

const words =
  /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|[\p{Script=Hiragana}ー]+|[\p{Script=Latin}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu

/** Letters needed to recognize the start of a word: one kanji, two kana, three others. */
export function leastOf(key: string, at = 0): number {
  const letter = key.charAt(at)
  if (/\p{Script=Han}/u.test(letter)) return 1
  return /[ぁ-ゟ]/.test(letter) ? 2 : 3
}
