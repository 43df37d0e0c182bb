import { type Words, words } from './words'

/**
 * What is wrong with a text that people will see on one line, as the end of a sentence about it;
 * undefined when nothing is. The limit is in code points.
 */
export function lineProblem(text: string, limit: number): Words | undefined {
  if (text.trim() === '') return words('must not be blank', '空白にはできません')
  if ([...text].length > limit)
    return words(`must not be longer than ${limit} characters`, `${limit}文字以内で入力してください`)
  if (!text.isWellFormed() || invisible.test(text))
    return words('must not hold control characters', '制御文字は使えません')
  return undefined
}

// Control characters, line and paragraph separators, and those that turn the direction of writing.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
