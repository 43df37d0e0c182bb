/** Normalises a text for search (D17): NFKC, lower case, katakana as hiragana. Idempotent. */
export const fold = (text: string): string => (isAscii.test(text) ? text.toLowerCase() : foldAny(text))

const foldAny = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // Final sigma: which form is used depends on the letters around it, which differ in a substring.
    .replaceAll('ς', 'σ')
    .replace(/[ァ-ヶヽヾ]+/g, hiraganaOf)
    .replace(/[ヷ-ヺ]/g, (letter) => voicedKana[letter] ?? letter)
    // Lower-casing may decompose what NFKC composed.
    .normalize('NFKC')

function hiraganaOf(katakana: string): string {
  let hiragana = ''
  for (let at = 0; at < katakana.length; at++)
    hiragana += String.fromCharCode(katakana.charCodeAt(at) - kanaDistance)
  return hiragana
}

/** A folded text without punctuation, spaces and the kana length mark; empty if it consists of nothing else. */
export const withoutMarks = (folded: string): string => folded.replace(marks, '')

/** The runs of such marks in a folded text; all wave dashes become one character. */
export const marksOf = (folded: string): readonly string[] =>
  (folded.match(marks) ?? []).map((run) => run.replace(waveDashes, '~'))

const marks = /(?:[^\p{L}\p{N}\p{M}]|ー)+/gu
const waveDashes = /[〜∼∿〰]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\x00-\x7f]*$/
const kanaDistance = 0x60

/** Katakana whose hiragana exist only with a combining mark. */
const voicedKana: Readonly<Record<string, string>> = { ヷ: 'わ゙', ヸ: 'ゐ゙', ヹ: 'ゑ゙', ヺ: 'を゙' }
