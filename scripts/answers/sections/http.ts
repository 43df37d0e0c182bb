import type { Recorder } from '../recorder'

const paths = [
  '/',
  '/healthz',
  '/livez',
  '/readyz',
  '/robots.txt',
  '/favicon.ico',
  '/openapi.json',
  '/docs',
  '/docs/errors',
  '/docs/oauth2-redirect.html',
  '/docs/assets/swagger-ui-bundle.js',
  '/docs/assets/swagger-ui.css',
  '/docs/assets/oauth2-redirect.js',
  '/assets/api.css',
  '/assets/api.js',
  '/assets/avatar.svg',
  '/assets/background.svg',
  '/assets/none.css',
  '/assets/../etc/passwd',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v2/works',
  '/graphql',
  '/metrics',
  '/oauth',
  '/oauth/register',
  '/%',
  '/%zz',
  '/%00',
  '/v1/works%2f',
  '/about',
  '/about/',
  '//about',
  '/@mio',
  '/works/1',
]

const headerSets: readonly Readonly<Record<string, string>>[] = [
  {},
  { accept: 'text/html', 'accept-language': 'ja' },
  { accept: 'text/html', 'accept-language': 'fr;q=0.5, en;q=0.9' },
  { origin: 'https://client.example', 'accept-encoding': 'gzip, br' },
  { host: 'evil.example', 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example' },
  { 'if-none-match': '*', range: 'bytes=0-9' },
  { cookie: 'sid=%zz; language=ja' },
  {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
    origin: 'https://client.example',
  },
]

/** Assets, documents and unknown paths by every method and with many headers. */
export async function http(recorder: Recorder): Promise<void> {
  recorder.begin('http')
  for (const target of paths) {
    for (const headers of headerSets) await recorder.ask({ target, headers })
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']) await recorder.ask({ method, target })
    await recorder.ask({ method: 'OPTIONS', target, headers: headerSets.at(-1) ?? {} })
  }
  for (const text of raw)
    await recorder.note(JSON.stringify(text.slice(0, 200)), 0, await exchange(recorder.instance.port, text))
}

const raw = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET /v1/works HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'GET /about?a=\xff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'BREW /v1/works HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'nothing\r\n\r\n',
  'POST /v1/me/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
  `GET /v1/works?filter_title=${'a'.repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
]

async function exchange(port: number, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let came = ''
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, bytes) => {
        came += bytes.toString('latin1')
      },
      close: () => resolve(came),
    },
  })
  socket.write(Buffer.from(text, 'latin1'))
  const timer = setTimeout(() => socket.end(), 500)
  const answer = await promise
  clearTimeout(timer)
  return answer.replace(/^(X-Request-Id|Date): .*$/gim, '$1: <>')
}
