/** A text may be 10,000 line ends, which would push away what others wrote. */
const mostLines = 24

/** What a list shows of a text, at most so many characters; undefined where that is all of it. */
export function beginningOf(text: string, mostCharacters: number): string | undefined {
  const lines = text.split('\n', mostLines + 1)
  const few = lines.length > mostLines ? lines.slice(0, mostLines).join('\n').trimEnd() : text
  const characters = Array.from(few)
  if (characters.length > mostCharacters) return characters.slice(0, mostCharacters).join('')
  return few === text ? undefined : few
}
