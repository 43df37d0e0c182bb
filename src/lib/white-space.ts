/** Unicode white space (D7). */
export const isBlank = (text: string) => /^\p{White_Space}*$/u.test(text)

/** `String.trim` knows fewer characters. */
export function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charAt(start))) start += 1
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
