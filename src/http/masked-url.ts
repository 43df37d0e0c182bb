/** A URL as a log may show it: what could be a secret is masked, by the name of its parameter (oauth.md §2.7). */
export function maskedUrl(url: string): string {
  const start = url.indexOf('/', 8)
  const target = start < 0 ? '/' : url.slice(start)
  return target.includes('?') ? target.replace(secrets, '$1=***') : target
}

const secrets =
  /(?<=[?&])(access_token|token|code|client_secret|code_verifier|password|state|csrf|email)=[^&#]*/gi
