/** A URL without scheme, www, index page, query and fragment. */
export function addressKey(url: string): string {
  const [, host = '', path = ''] = /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)/i.exec(url.trim()) ?? []
  return (host + path.replace(/\/(?:index\.\w+)?$/, '')).toLowerCase()
}
