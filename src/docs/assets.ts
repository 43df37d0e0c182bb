import { file, gzipSync } from 'bun'
import returned from 'swagger-ui-dist/oauth2-redirect.js' with { type: 'file' }
import style from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }

/** The documentation page's scripts and style sheet, out of the executable; compressed once, when first asked for. */
export const apiPageAssets = {
  script: embedded(script, 'text/javascript; charset=utf-8'),
  style: embedded(style, 'text/css; charset=utf-8'),
  returned: embedded(returned, 'text/javascript; charset=utf-8'),
}

function embedded(path: string, contentType: string): (request: Request) => Promise<Response> {
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined
  return async (request) => {
    const headers = { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=86400', ...common }
    if (!takesGzip(request)) return new Response(file(path), { headers })
    compressed ??= file(path)
      .bytes()
      .then((bytes) => gzipSync(bytes))
    return new Response(await compressed, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  }
}

/** Whether gzip is among the accepted encodings, not with a weight of zero (RFC 9110 §12.5.3). */
const takesGzip = ({ headers }: Request) =>
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?:1|0\.0*[1-9])[\d.]*\s*)?(?:,|$)/i.test(headers.get('accept-encoding') ?? '')

const common = { 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' }
