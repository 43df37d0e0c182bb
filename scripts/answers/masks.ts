type Pattern = readonly [label: string, pattern: RegExp]

/** Random values. The first group is the random part, otherwise the whole match. */
const random: readonly Pattern[] = [
  ['secret', /kir_[a-z]{2,3}_([0-9A-Za-z]{49})/g],
  ['csrf', /name="csrf" value="([^"]+)"/g],
  ['key', /id="totp_key">([^<]+)</g],
  ['request id', /<small>[^<]*<code>([\w-]{12})<\/code><\/small>/g],
  ['form id', /name="form_id" value="([^"]+)"/g],
  ['request', /name="request" value="([^"]+)"/g],
  ['client', /\b[0-9a-f]{32}\b/g],
  ['user code', /\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b/g],
  ['recovery code', /\b(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}\b/g],
  ['picture', /data:image\/svg\+xml;base64,([A-Za-z0-9+/=]{1000,})/g],
]

/** Values that depend on the machine. */
const measured: readonly Pattern[] = [
  ['bytes', /"(?:disk_free_bytes|wal_bytes)":\s*(\d+)/g],
  // A session's last use is written after the answer, with the time of that moment.
  ['used', /(?<="user_agent":"[^"]*","address":"[^"]*","created_at":"[^"]*","last_used_at":")[^"]+/g],
  // Rate limits use the monotonic clock.
  ['left', /"default";r=(\d+;t=\d+)/g],
  ['seconds', /\bin (\d+(?:\.\d+)?) ?(?:ms|s|seconds)\b/g],
]

/** Replaces what differs between two recordings of the same executable by labels. */
export class Masks {
  readonly #known = new Map<string, string>()

  learn(text: string, label: string): void {
    if (text !== '') this.#known.set(text, label)
  }

  forget(text: string): void {
    this.#known.delete(text)
  }

  mask(text: string): string {
    let masked = text
    for (const [known, label] of this.#known) masked = masked.replaceAll(known, label)
    for (const [label, pattern] of [...random, ...measured])
      masked = masked.replace(pattern, (whole, part?: string | number) =>
        typeof part === 'string' ? whole.replace(part, () => `<${label}>`) : `<${label}>`,
      )
    return masked
  }
}
