import { findLink, type Link, spendLink } from '../../accounts/sign-in/one-time-link'
import { html } from '../../pages/html'
import { titled } from '../../pages/layout'
import { defineForm } from '../../web/form'
import { seeOther } from '../../web/page'
import type { Visit } from '../../web/visit'
import { linkProblem } from '../too-often'
import { beginSession } from './sign-in'

/** The operator's way in for whoever has lost their own (D104). A page with a button: what only looks at links spends none. */
export const signInLink = defineForm({
  path: '/sign_in/link/:link',
  access: async (visit: Visit) => {
    const { deps, params } = visit
    if (await findLink(deps.read, 'sign_in', params.link ?? '', deps.now())) return visit
    throw invalidLink()
  },
  fields: {},
  button: (t) => t.signIn.title,
  show: async (visit, form) => {
    const { deps, params, t } = visit
    const link = await findLink(deps.read, 'sign_in', params.link ?? '', deps.now())
    const username = await usernameOf(visit, link)
    return { ...titled(t.signIn.title, html`<p>${t.signIn.byLink(username)}</p>${form}`), isBare: true }
  },
  submit: async (visit) => {
    const { deps, params, context } = visit
    const [text, at] = [params.link ?? '', deps.now()]
    const userId = (await findLink(deps.read, 'sign_in', text, at))?.userId ?? undefined
    if (userId === undefined) throw invalidLink()
    await beginSession(visit, userId, {
      by: { way: 'link' },
      first: async (tx) => {
        if ((await spendLink(tx, 'sign_in', text, at)) === undefined) throw invalidLink()
      },
    })
    deps.log('sign_in', { id: context.id, way: 'link', outcome: 'ok', user: userId })
    deps.log('sign_in_link', { id: context.id, user: userId })
    return seeOther(visit, '/settings')
  },
})

async function usernameOf({ deps }: Visit, link: Link | undefined): Promise<string> {
  const user = await deps.read
    .selectFrom('users')
    .select('username')
    .where('id', '=', link?.userId ?? 0)
    .executeTakeFirst()
  return user?.username ?? ''
}

const invalidLink = () => linkProblem((t) => t.signIn.newLink)
