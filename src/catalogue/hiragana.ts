/** Converts katakana to hiragana and runs of spaces to one. */
export const hiragana = (kana: string): string =>
  kana
    .replace(/[ァ-ヶ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(/\s+/gu, ' ')
    .trim()
