import { file, gunzipSync } from 'bun'
import { accepts } from '../http/compression'

/** Packed into the executable by `scripts/compile.ts`. */
export const apiPageAssets = {
  script: embedded(
    () => import('../../dist/swagger-ui-bundle.js.gz', { with: { type: 'file' } }),
    'text/javascript; charset=utf-8',
  ),
  style: embedded(
    () => import('../../dist/swagger-ui.css.gz', { with: { type: 'file' } }),
    'text/css; charset=utf-8',
  ),
  returned: embedded(
    () => import('../../dist/oauth2-redirect.js.gz', { with: { type: 'file' } }),
    'text/javascript; charset=utf-8',
  ),
}

export const graphiqlAssets = {
  script: embedded(
    () => import('../../dist/graphiql.js.gz', { with: { type: 'file' } }),
    'text/javascript; charset=utf-8',
  ),
  style: embedded(
    () => import('../../dist/graphiql.css.gz', { with: { type: 'file' } }),
    'text/css; charset=utf-8',
  ),
}

type Answer = (request: Request) => Promise<Response>

function embedded(find: () => Promise<{ default: string }>, contentType: string): Answer {
  return async (request) => {
    const { default: path } = await find()
    const headers = { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=86400', ...common }
    if (!takesGzip(request)) return new Response(gunzipSync(await file(path).bytes()), { headers })
    return new Response(file(path), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  }
}

const takesGzip = ({ headers }: Request) => accepts(headers.get('accept-encoding') ?? '', 'gzip')

const common = { Vary: 'Accept-Encoding' }
