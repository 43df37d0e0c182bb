/**
 * A text without what looks like a secret of ours (`kir_<kind>_…`, whole or not), percent-encoded however often: what
 * stands behind a server may decode once more than it does.
 */
export function maskSecrets(text: string): string {
  if (!text.includes('%')) return text.replace(secretLike, mask)
  const { text: decoded, starts } = fullyDecoded(text)
  let masked = ''
  let end = 0
  for (const { index, 0: found } of decoded.matchAll(secretLike)) {
    masked += text.slice(end, starts[index]) + mask
    end = starts[index + found.length] ?? text.length
  }
  return masked + text.slice(end)
}

/** What stands in a log for what must not. */
export const mask = '***'

const secretLike = /kir_[a-z]{2,3}_\w+/gi

/** A text decoded until no percent-encoding is left; `starts` tells where in the original each character begins. */
export interface Decoded {
  readonly text: string
  readonly starts: readonly number[]
}

/**
 * Decodes all levels in one pass: whenever the end of what was read so far is an escape, it becomes its character, which
 * may complete another one. Pass after pass over `%2525…` would take quadratic time. Bytes stay bytes, for secrets and the
 * names of parameters are ASCII.
 */
export function fullyDecoded(text: string): Decoded {
  const codes: number[] = []
  const starts: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    codes.push(text.charCodeAt(at))
    starts.push(at)
    for (let byte = lastEscape(codes); byte !== undefined; byte = lastEscape(codes)) {
      codes.splice(-3, 3, byte)
      starts.length -= 2
    }
  }
  return { text: codes.map((code) => String.fromCharCode(code)).join(''), starts }
}

/** The byte that the last three characters stand for; undefined when they are no escape. */
function lastEscape(codes: readonly number[]): number | undefined {
  if (codes.at(-3) !== 0x25) return undefined
  const hex = String.fromCharCode(codes.at(-2) ?? 0, codes.at(-1) ?? 0)
  return /^[0-9a-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : undefined
}
