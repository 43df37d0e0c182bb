/** FTS5 terms of a key: trigrams of Latin letters and digits, else bigrams; those of a sound begin with `_`. */
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

export function termsOf(key: string, words: string): string {
  const begins = words === '' ? [key] : words.split(' ')
  return [...gramsOf(key), ...begins.map(beginningOf)].join(' ')
}

/** Up to three letters, marked by `^`. */
export const beginningOf = (word: string): string =>
  `${isSound(word) ? '_' : ''}^${isBasic.test(word) ? word.slice(0, 3) : [...word].slice(0, 3).join('')}`

/** Sound keys are in capitals. */
export const isSound = (key: string): boolean => /[A-Z]/.test(key)

const isBasic = /^[^\ud800-\udfff]*$/
const lastAscii = '\x7f'
