/** An address without what its spellings differ in: scheme, www, index pages, and what follows the path. */
export function addressKey(url: string): string {
  const [, host = '', path = ''] = /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)/i.exec(url.trim()) ?? []
  return (host + path.replace(/\/(?:index\.\w+)?$/, '')).toLowerCase()
}
