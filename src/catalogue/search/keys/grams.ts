/** FTS5 terms of a key: trigrams of Latin letters and digits, otherwise bigrams; those of a sound key start with `_`. */
export function gramsOf(key: string): string[] {
  const mark = isSound(key) ? '_' : ''
  const grams: string[] = []
  for (let at = 0, end = at; at < key.length; at = end) {
    end = nextOf(key, at)
    if (end === key.length) break
    if (isWide(key, at) || isWide(key, end)) grams.push(mark + key.slice(at, nextOf(key, end)))
    else if (end + 1 < key.length && !isWide(key, end + 1)) grams.push(mark + key.slice(at, end + 2))
  }
  return grams
}

export function termsOf(key: string, words: string): string {
  const terms = gramsOf(key)
  for (const word of words === '' ? [key] : words.split(' ')) terms.push(beginningOf(word))
  return terms.join(' ')
}

/** Up to three letters, marked with `^`. */
export const beginningOf = (word: string): string =>
  `${isSound(word) ? '_' : ''}^${isBasic.test(word) ? word.slice(0, 3) : [...word].slice(0, 3).join('')}`

/** Sound keys are in capitals. */
export const isSound = (key: string): boolean => /[A-Z]/.test(key)

const isBasic = /^[^\ud800-\udfff]*$/

const isWide = (key: string, at: number) => key.charCodeAt(at) > 0x7f

/** Where the letter after the one at `at` begins; keeps surrogate pairs whole. */
const nextOf = (key: string, at: number) => at + ((key.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
