/** Also masks secrets (`kir_<kind>_…`) that are cut off or percent-encoded any number of times: a backend may decode again. */
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

export const mask = '***'

const secretLike = /kir_[a-z]{2,3}_\w+/gi

/** `starts` holds the index in the original of each character. */
export interface DecodedText {
  readonly text: string
  readonly starts: readonly number[]
}

/** In one pass: one for each level would take quadratic time for `%2525…`. Does not decode UTF-8: secrets are ASCII. */
export function fullyDecoded(text: string): DecodedText {
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

function lastEscape(codes: readonly number[]): number | undefined {
  if (codes.at(-3) !== 0x25) return undefined
  const hex = String.fromCharCode(codes.at(-2) ?? 0, codes.at(-1) ?? 0)
  return /^[0-9a-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : undefined
}
