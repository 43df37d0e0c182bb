import type { Read } from '../db/open'
import { errorsPath } from '../http/errors'
import { aboutPage } from '../pages/about'
import { errorsPage } from '../pages/errors'
import { homePage } from '../pages/home'
import { anyone } from '../web/access'
import { definePage } from '../web/page'

/** GET / */
export const home = definePage({
  path: '/',
  access: anyone,
  show: async ({ look, deps }) => homePage(look, await heldIn(deps.read)),
})

/** GET /about: also what the licences of the data ask to be said. */
export const about = definePage({ path: '/about', access: anyone, show: ({ look }) => aboutPage(look) })

/** GET /docs/errors */
export const errors = definePage({ path: errorsPath, access: anyone, show: ({ look }) => errorsPage(look) })

async function heldIn(read: Read) {
  const totals = await read.selectFrom('totals').select(['name', 'n']).execute()
  const count = (name: string) => totals.find((total) => total.name === name)?.n ?? 0
  return { works: count('works'), episodes: count('episodes'), users: count('users') }
}
