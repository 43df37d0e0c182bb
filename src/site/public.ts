import type { Read } from '../db/open'
import { rowCount } from '../db/row-counts'
import { errorsPath } from '../http/errors'
import { aboutPage } from '../pages/about'
import { aboutDataPage } from '../pages/about-data'
import { errorsPage } from '../pages/errors'
import { homePage } from '../pages/home'
import { keysPage } from '../pages/keys'
import { anyone } from '../web/access'
import { definePage } from '../web/page'

export const home = definePage({
  path: '/',
  access: anyone,
  show: async ({ pageContext, deps }) => homePage(pageContext, await countRows(deps.read)),
})

export const about = definePage({
  path: '/about',
  access: anyone,
  show: ({ pageContext }) => aboutPage(pageContext),
})

/** Includes the attribution that the data's licences require. */
export const aboutData = definePage({
  path: '/about/data',
  access: anyone,
  show: ({ pageContext }) => aboutDataPage(pageContext),
})

export const errors = definePage({
  path: errorsPath,
  access: anyone,
  show: ({ pageContext }) => errorsPage(pageContext),
})

export const keys = definePage({
  path: '/keys',
  access: anyone,
  show: ({ pageContext }) => keysPage(pageContext),
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
