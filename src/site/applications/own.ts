import { findOwnApplication, type OwnedApplication } from '../../oauth/clients/owned-applications'
import { pathId } from '../../web/path-id'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'

export const applicationsPath = '/oauth/applications'

/** The path of an application's own page, or of one below it. */
export const pathOfApplication = (id: number, below = '') =>
  `${applicationsPath}/${id}${below === '' ? '' : `/${below}`}`

/** The application in a page's path. Throws the 404 page where whoever asks has none with that id (AP-01). */
export async function ownApplication(visit: MemberVisit): Promise<OwnedApplication> {
  const { deps, session } = visit
  const application = await findOwnApplication(deps.read, session.userId, pathId(visit), deps.now())
  if (application === undefined) throw pageNotFound()
  return application
}

/** Notes what was done to an application, and by whom. */
export function logApplication({ deps, context, session }: MemberVisit, event: string, uid: string): void {
  deps.log(event, { id: context.id, user: session.userId, application: uid })
}
