import type { Read } from '../../db/open'
import { rowCount } from '../../db/row-counts'
import { homePage } from '../../pages/home'
import { anyone, definePage } from '../../web/page'
import { trackPage } from '../track/page'

export const front = definePage({
  path: '/',
  access: anyone,
  show: async (visit) => {
    const { session, deps } = visit
    if (session !== undefined) return await trackPage({ ...visit, session })
    return homePage(visit, await countRows(deps.read), deps.config.publicCatalogue)
  },
})

async function countRows(read: Read) {
  return await read
    .selectNoFrom([
      rowCount('works').as('works'),
      rowCount('episodes').as('episodes'),
      rowCount('users').as('users'),
    ])
    .executeTakeFirstOrThrow()
}
