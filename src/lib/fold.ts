/** Normalises a text for search (D17): NFKC, lower case, katakana as hiragana. Idempotent. */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // Final sigma: the choice depends on the letters around it, which differ in a substring.
    .replaceAll('ς', 'σ')
    .replace(/[ァ-ヶヽヾ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - kanaDistance))
    .replace(/[ヷ-ヺ]/g, (letter) => voicedKana[letter] ?? letter)
    // Lower-casing may decompose what NFKC composed.
    .normalize('NFKC')

const kanaDistance = 0x60

/** Katakana whose hiragana exist only with a combining mark. */
const voicedKana: Readonly<Record<string, string>> = { ヷ: 'わ゙', ヸ: 'ゐ゙', ヹ: 'ゑ゙', ヺ: 'を゙' }
