import { listOwnApplications, type OwnedApplication } from '../oauth/owned-applications'
import { html, type Markup } from '../pages/html'
import type { Look } from '../pages/layout'
import { moment } from '../pages/moment'
import { table } from '../pages/table'
import { member } from '../web/access'
import { definePage } from '../web/page'
import { applicationsPath, pathOfApplication } from './applications-own'

/** GET /oauth/applications: the client applications that whoever is signed in has registered. */
export const applications = definePage({
  path: applicationsPath,
  access: member,
  show: async ({ deps, session, look }) => {
    const { say, basePath } = look
    const title = say('Your applications', '自分のアプリケーション')
    const own = await listOwnApplications(deps.read, session.userId, deps.now())
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${say(
          'An application asks people for consent, and then uses the API in their names.',
          'アプリケーションは、利用者の許可を得て、その人の名前で API を利用します。',
        )}</p>
        ${own.length === 0 ? '' : applicationTable(look, own)}
        <p><a href="${basePath}${applicationsPath}/new">${say('Register an application', 'アプリケーションを登録')}</a></p>
        <p><a href="${basePath}/settings/applications">${say(
          'Applications you gave access to',
          '許可したアプリケーション',
        )}</a></p>`,
    }
  },
})

function applicationTable(look: Look, own: readonly OwnedApplication[]): Markup {
  const { say, basePath } = look
  const heads = [
    say('Name', '名前'),
    say('Scope', 'スコープ'),
    say('People', '利用者数'),
    say('Last used', '最終利用'),
  ]
  const rows = own.map(({ id, name, scope, users_count, last_used_at }) => [
    html`<a href="${basePath}${pathOfApplication(id)}">${name}</a>`,
    html`<code>${scope}</code>`,
    users_count ?? 0,
    moment(look, last_used_at, say('Never', 'なし')),
  ])
  return table(heads, rows)
}
