import type { LogEvent } from '../../log/levels'
import { findOwnApplication, type OwnedApplication } from '../../oauth/clients/owned-applications'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'

export const applicationsPath = '/oauth/applications'

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
