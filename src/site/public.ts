import type { Read } from '../db/open'
import { rowCount } from '../db/row-counts'
import { errorsPath } from '../http/errors'
import { aboutPage } from '../pages/about'
import { errorsPage } from '../pages/errors'
import { homePage } from '../pages/home'
import { anyone } from '../web/access'
import { definePage } from '../web/page'

export const home = definePage({
  path: '/',
  access: anyone,
  show: async ({ look, deps }) => homePage(look, await countRows(deps.read)),
})

/** Includes the attribution that the data's licences require. */
export const about = definePage({ path: '/about', access: anyone, show: ({ look }) => aboutPage(look) })

export const errors = definePage({ path: errorsPath, access: anyone, show: ({ look }) => errorsPage(look) })

async function countRows(read: Read) {
  return await read
    .selectNoFrom([
      rowCount('works').as('works'),
      rowCount('episodes').as('episodes'),
      rowCount('users').as('users'),
    ])
    .executeTakeFirstOrThrow()
}
