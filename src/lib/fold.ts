/**
 * A text as searches compare it (D17): NFKC, lower case, katakana as hiragana. Folding a folded text changes nothing.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // Σ has two lower cases; which one depends on the letters around it, and those differ in a part of a word.
    .replaceAll('ς', 'σ')
    .replace(/[ァ-ヶヽヾ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - kanaDistance))
    .replace(/[ヷ-ヺ]/g, (letter) => voicedKana[letter] ?? letter)
    // Lower case may undo what NFKC composed.
    .normalize('NFKC')

const kanaDistance = 0x60

/** Katakana whose hiragana exist only as letter and mark. */
const voicedKana: Readonly<Record<string, string>> = { ヷ: 'わ゙', ヸ: 'ゐ゙', ヹ: 'ゑ゙', ヺ: 'を゙' }
