type Pattern = readonly [label: string, pattern: RegExp]

/** What is random wherever it stands. The first group is the random part, or all of the match. */
const patterns: readonly Pattern[] = [
  ['secret', /kir_[a-z]{2}_[0-9A-Za-z]{49}/g],
  ['csrf', /name="csrf" value="([^"]+)"/g],
  ['form_id', /name="form_id" value="([^"]+)"/g],
  ['handle', /name="request" value="([^"]+)"/g],
  ['client', /"client_id":"([\w-]{22,})"/g],
  ['client', /id="client_id">([\w-]{22,})</g],
  ['user_code', /\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b/g],
  ['totp', /id="totp_key">([^<]+)</g],
  ['qr', /data:image\/svg\+xml;base64,([A-Za-z0-9+/=]{1000,})/g],
  ['recovery', /<li><code>([^<]+)<\/code><\/li>/g],
]

/** What depends on the machine: nothing is to be told from it. */
const measures: readonly Pattern[] = [
  ['bytes', /"(?:disk_free_bytes|wal_bytes)":\s*(\d+)/g],
  ['seconds', /\bin (\d+(?:\.\d+)?) ?(?:ms|s|seconds)\b/g],
]

/** Replaces what differs between two recordings of the same executable by a label, random texts by first appearance. */
export class Masks {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Has a text replaced by a label from now on. */
  learn(text: string, label: string): void {
    this.#known.set(text, label)
  }

  forget(text: string): void {
    this.#known.delete(text)
  }

  mask(text: string): string {
    for (const [label, pattern] of patterns)
      for (const match of text.matchAll(pattern)) this.#number(match[1] ?? match[0], label)
    let masked = text
    for (const [label, pattern] of measures)
      masked = masked.replace(pattern, (whole, part: string) => whole.replace(part, `<${label}>`))
    for (const [known, label] of this.#known) masked = masked.replaceAll(known, label)
    return masked
  }

  #number(text: string, label: string): void {
    if (this.#known.has(text)) return
    const n = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, n)
    this.#known.set(text, `<${label} ${n}>`)
  }
}
