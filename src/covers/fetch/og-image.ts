/** The absolute URL of a page's Open Graph image; undefined if it has none. */
export async function findOgImage(
  html: Uint8Array<ArrayBuffer>,
  pageUrl: string,
): Promise<string | undefined> {
  let found: string | undefined
  const element = (meta: { getAttribute(name: string): string | null }) => {
    found ??= meta.getAttribute('content')?.trim() || undefined
  }
  const names = ['og:image', 'og:image:url', 'og:image:secure_url']
  const selector = names.flatMap((name) => [`meta[property="${name}"]`, `meta[name="${name}"]`]).join(', ')
  await new HTMLRewriter().on(selector, { element }).transform(new Response(html)).arrayBuffer()
  if (found === undefined) return undefined
  return URL.parse(found.replaceAll('&amp;', '&'), pageUrl)?.href
}
