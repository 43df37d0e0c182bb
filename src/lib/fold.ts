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

/** A folded text without marks, spaces and the long mark of kana; empty where it is nothing else. */
export const withoutMarks = (folded: string): string => folded.replace(marks, '')

/** The runs of marks in a folded text, in which all wave dashes are one. */
export const marksOf = (folded: string): readonly string[] =>
  (folded.match(marks) ?? []).map((run) => run.replace(waveDashes, '~'))

const marks = /(?:[^\p{L}\p{N}\p{M}]|ー)+/gu
const waveDashes = /[〜∼∿〰]/g
const kanaDistance = 0x60

/** Katakana whose hiragana exist only with a combining mark. */
const voicedKana: Readonly<Record<string, string>> = { ヷ: 'わ゙', ヸ: 'ゐ゙', ヹ: 'ゑ゙', ヺ: 'を゙' }
