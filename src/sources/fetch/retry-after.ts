/** Milliseconds from `now`, at least 0, from seconds or an HTTP date (RFC 9110 §10.2.3). Undefined for anything else. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  if (!/^[A-Z][a-z]{2,8},? /.test(header)) return undefined
  // Only the oldest format has no zone.
  const at = Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
