/** FTS5 term that finds texts containing `text` (not empty): a phrase of bigrams, or a prefix for a single unit. */
export const termOf = (text: string): string =>
  text.length === 1 ? `${unit(text, 0)}*` : `"${pairsOf(text).join(' ')}"`

const pairsOf = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => unit(text, at) + unit(text, at + 1))

/**
 * Bigrams of UTF-16 units in hexadecimal, for an FTS5 index with prefixes of four; the last unit is written alone, in four
 * digits, so that no phrase spans two texts.
 */
// Every unit but the first and the last ends one bigram and begins the next: its join of the two is cached.
export function bigramsOf(text: string): string {
  const parts = [unit(text, 0)]
  for (let at = 1; at < text.length; at++) parts.push(endAndBegin(text, at))
  return parts.join('')
}

function endAndBegin(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const known = joints[code]
  if (known !== undefined) return known
  const one = unit(text, at)
  const joint = `${one} ${one}`
  joints[code] = joint
  return joint
}

function unit(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const known = units[code]
  if (known !== undefined) return known
  const digits = code.toString(16).padStart(4, '0')
  units[code] = digits
  return digits
}

const units: string[] = []
const joints: string[] = []
