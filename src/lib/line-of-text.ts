import type { Message } from '../messages/languages'

/**
 * What is wrong with a text that people will see on one line, or undefined. `subject` is
 * what the message calls it; the limit is in code points.
 */
export function lineProblem(text: string, limit: number, subject: Message): Message | undefined {
  if (text.trim() === '') return (t) => t.rules.blank(subject(t))
  if ([...text].length > limit) return (t) => t.rules.tooLong(subject(t), limit)
  if (!text.isWellFormed() || invisible.test(text)) return (t) => t.rules.controlCharacters(subject(t))
  return undefined
}

// Control characters, line and paragraph separators, and those that turn the direction of writing.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
