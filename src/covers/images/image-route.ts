import { notFound } from '../../http/errors'
import type { Route } from '../../http/route'
import { forEver } from '../made-cover-route'
import { filePath } from './files'

/**
 * An uploaded or fetched picture. Its name is its content's hash, so it never changes. Bun reads the file as fast as the
 * client does; bytes would wait in memory for each slow reader.
 */
export const imageRoute: Route = {
  method: 'GET',
  path: '/images/:file',
  answer: async ({ deps, params }) => {
    const [, hash, width] = /^([0-9a-f]{32})-([1-9][0-9]{1,3})\.webp$/.exec(params.file ?? '') ?? []
    if (hash === undefined) throw notFound('The picture')
    const file = Bun.file(filePath(deps.config.data, hash, Number(width)))
    if (!(await file.exists())) throw notFound('The picture')
    return new Response(file, { headers })
  },
}

/** Without a `Content-Disposition`, Bun would send the name of the file. */
const headers = {
  'Content-Type': 'image/webp',
  'Cache-Control': forEver,
  'Content-Disposition': 'inline',
}
