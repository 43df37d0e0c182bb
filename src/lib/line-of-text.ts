/**
 * What is wrong with a text that people will see on one line, as the end of a sentence; undefined when nothing is.
 * The limit is in code points.
 */
export function lineProblem(text: string, limit: number): string | undefined {
  if (text.trim() === '') return 'must not be blank'
  if ([...text].length > limit) return `must not be longer than ${limit} characters`
  if (!text.isWellFormed() || invisible.test(text)) return 'must not hold control characters'
  return undefined
}

// Control characters, line and paragraph separators, and those that turn the direction of writing.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
