import { file, zstdDecompressSync } from 'bun'
import { compress, type Encoding, encodingFor } from '../http/compression'

/** Compressed and embedded by `scripts/compile.ts`. */
export const apiPageAssets = {
  script: embedded(
    () => import('../../dist/swagger-ui-bundle.js.zst', { with: { type: 'file' } }),
    'text/javascript; charset=utf-8',
  ),
  style: embedded(
    () => import('../../dist/swagger-ui.css.zst', { with: { type: 'file' } }),
    'text/css; charset=utf-8',
  ),
  returned: embedded(
    () => import('../../dist/oauth2-redirect.js.zst', { with: { type: 'file' } }),
    'text/javascript; charset=utf-8',
  ),
}

export const graphiqlAssets = {
  script: embedded(
    () => import('../../dist/graphiql.js.zst', { with: { type: 'file' } }),
    'text/javascript; charset=utf-8',
  ),
  style: embedded(
    () => import('../../dist/graphiql.css.zst', { with: { type: 'file' } }),
    'text/css; charset=utf-8',
  ),
}

type AssetResponse = (request: Request) => Promise<Response>

function embedded(find: () => Promise<{ default: string }>, contentType: string): AssetResponse {
  const made: Partial<Record<Encoding | 'none', Blob>> = {}
  return async (request) => {
    const { default: path } = await find()
    const encoding = encodingFor(request)
    const headers = {
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=86400',
      Vary: 'Accept-Encoding',
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    }
    if (encoding === 'zstd') return new Response(file(path), { headers })
    made[encoding ?? 'none'] ??= await bodyOf(path, encoding)
    return new Response(made[encoding ?? 'none'], { headers })
  }
}

/** A blob, which answers share: each client that does not read would keep bytes of its own. */
async function bodyOf(path: string, encoding: Encoding | undefined): Promise<Blob> {
  const bytes = new Uint8Array(zstdDecompressSync(await file(path).bytes()))
  return new Blob([encoding === undefined ? bytes : compress(bytes, encoding)])
}
