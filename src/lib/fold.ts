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

/** A folded text without marks, spaces and the long mark of kana; empty where it is nothing else. */
export const withoutMarks = (folded: string): string => folded.replace(marks, '')

/** The runs of marks in a folded text, in which all wave dashes are one. */
export const marksOf = (folded: string): readonly string[] =>
  (folded.match(marks) ?? []).map((run) => run.replace(waveDashes, '~'))

const marks = /(?:[^\p{L}\p{N}\p{M}]|ー)+/gu
const waveDashes = /[〜∼∿〰]/g
const kanaDistance = 0x60

/** Katakana whose hiragana exist only as letter and mark. */
const voicedKana: Readonly<Record<string, string>> = { ヷ: 'わ゙', ヸ: 'ゐ゙', ヹ: 'ゑ゙', ヺ: 'を゙' }
