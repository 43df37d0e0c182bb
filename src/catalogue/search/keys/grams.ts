/**
 * What the full-text index holds of a key: overlapping pieces of three letters where these are Latin letters or digits,
 * of two where one is not. They are terms of FTS5; those of a sound begin with `_`.
 */
export function gramsOf(key: string): string[] {
  const letters = isBasic.test(key) ? key : [...key]
  const mark = isSound(key) ? '_' : ''
  const grams: string[] = []
  for (let at = 1; at < letters.length; at++) {
    const one = letters[at - 1] ?? ''
    const two = letters[at] ?? ''
    const three = letters[at + 1]
    if (one > lastAscii || two > lastAscii) grams.push(mark + one + two)
    else if (three !== undefined && three <= lastAscii) grams.push(mark + one + two + three)
  }
  return grams
}

/** The terms of a key and its words. */
export function termsOf(key: string, words: string): string {
  const begins = words === '' ? [key] : words.split(' ')
  return [...gramsOf(key), ...begins.map(beginningOf)].join(' ')
}

/** The term of the beginning of a word, up to three letters; `^` tells it from others. */
export const beginningOf = (word: string): string =>
  `${isSound(word) ? '_' : ''}^${isBasic.test(word) ? word.slice(0, 3) : [...word].slice(0, 3).join('')}`

/** Whether a key is one of a sound: these are written in capitals. */
export const isSound = (key: string): boolean => /[A-Z]/.test(key)

const isBasic = /^[^\ud800-\udfff]*$/
const lastAscii = '\x7f'
