/** Also masks secrets (`kir_<kind>_…`) that are truncated or repeatedly percent-encoded: a backend may decode again. */
export function maskSecrets(text: string): string {
  if (!/%[0-7]|kir_/i.test(text)) return text
  if (!mayBeEncoded(text)) return text.replace(secretLike, mask)
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

/** Whether the text has escaped ASCII, which secrets and their parameters' names consist of; `%E3%81%82` has none. */
export const mayBeEncoded = (text: string) => /%[0-7]/.test(text)

const secretLike = /kir_[a-z]{2,3}_\w+/gi

/** `starts` holds each character's index in the original. */
export interface DecodedText {
  readonly text: string
  readonly starts: Readonly<Record<number, number>>
}

/** In one pass: one pass per level would take quadratic time for `%2525…`. Does not decode UTF-8: secrets are ASCII. */
export function fullyDecoded(text: string): DecodedText {
  // Plain arrays and a string per character would create garbage of fifty times the text's length.
  const codes = new Uint16Array(text.length)
  const starts = new Uint32Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    codes[length] = text.charCodeAt(at)
    starts[length] = at
    length += 1
    for (let byte = lastEscape(codes, length); byte !== undefined; byte = lastEscape(codes, length)) {
      length -= 2
      codes[length - 1] = byte
    }
  }
  const decoded = Buffer.from(codes.buffer, 0, length * 2).toString('utf16le')
  return { text: decoded, starts: starts.subarray(0, length) }
}

function lastEscape(codes: Uint16Array, length: number): number | undefined {
  if (codes[length - 3] !== 0x25) return undefined
  const [high, low] = [hexDigit(codes[length - 2] ?? 0), hexDigit(codes[length - 1] ?? 0)]
  return high === undefined || low === undefined ? undefined : high * 16 + low
}

function hexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}
