import type { LogEvent } from '../../log/levels'
import {
  findOwnApplication,
  listOwnApplications,
  type OwnedApplication,
} from '../../oauth/clients/owned-applications'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { definePage, member } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'

export const applicationsPath = '/oauth/applications'

export const applications = definePage({
  path: applicationsPath,
  access: member,
  show: async (visit) => {
    const { deps, session, t, basePath } = visit
    const title = t.applications.title
    const own = await listOwnApplications(deps.read, session.userId, deps.now())
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${t.applications.explained}</p>
        ${own.length === 0 ? '' : applicationTable(visit, own)}
        <p><a href="${basePath}${applicationsPath}/new">${t.applications.register}</a></p>
        <p><a href="${basePath}/settings/applications">${t.connected.title}</a></p>`,
    }
  },
})

export const pathOfApplication = (id: number, below = '') =>
  `${applicationsPath}/${id}${below === '' ? '' : `/${below}`}`

/** The application in the path. Throws the 404 page unless it belongs to the signed-in user (AP-01). */
export async function ownApplication(visit: MemberVisit): Promise<OwnedApplication> {
  const { deps, session } = visit
  const application = await findOwnApplication(deps.read, session.userId, pathId(visit), deps.now())
  if (application === undefined) throw pageNotFound()
  return application
}

export function logApplication({ deps, context, session }: MemberVisit, event: LogEvent, uid: string): void {
  deps.log(event, { id: context.id, user: session.userId, application: uid })
}

function applicationTable(pageContext: PageContext, own: readonly OwnedApplication[]): Markup {
  const { t, basePath } = pageContext
  return table(own, [
    [t.common.name, ({ id, name }) => html`<a href="${basePath}${pathOfApplication(id)}">${name}</a>`],
    [t.common.scope, ({ scope }) => html`<code>${scope}</code>`],
    [t.applications.users, ({ users_count }) => users_count ?? 0],
    [t.common.lastUsed, ({ last_used_at }) => moment(pageContext, last_used_at, t.common.never)],
  ])
}
