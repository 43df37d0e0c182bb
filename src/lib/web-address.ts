/** oauth.md §2.5. Rejects control characters before parsing, which would drop them: `java<line feed>script:`. */
export function webAddress(text: string): string | undefined {
  if (!text.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}\s]/u.test(text)) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.username === '' && url.password === '' ? url.href : undefined
}
