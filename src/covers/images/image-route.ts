import { notFound } from '../../http/errors'
import type { Route } from '../../http/route'
import { forEver } from '../made-cover-route'
import { filePath } from './files'

/** An uploaded or fetched picture. Its name is its content's hash, so it never changes. */
export const imageRoute: Route = {
  method: 'GET',
  path: '/images/:file',
  answer: async ({ deps, params }) => {
    const [, hash, width] = /^([0-9a-f]{32})-([1-9][0-9]{1,3})\.webp$/.exec(params.file ?? '') ?? []
    if (hash === undefined) throw notFound('The picture')
    const file = Bun.file(filePath(deps.config.data, hash, Number(width)))
    const bytes = await file.bytes().catch(() => undefined)
    if (bytes === undefined) throw notFound('The picture')
    return new Response(bytes, { headers: { 'Content-Type': 'image/webp', 'Cache-Control': forEver } })
  },
}
