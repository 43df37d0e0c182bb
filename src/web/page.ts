import { decidesEdits, editingRight } from '../accounts/editing-right'
import { pathOf } from '../http/incoming'
import type { Message } from '../messages/languages'
import type { NavigationPlace, PageContent } from '../pages/layout'
import { AnswerInstead, PageProblem } from './problem'
import { pageBefore, returnPath, returnTarget } from './return-to'
import type { MemberVisit, Visit } from './visit'

/** Returns the visit, or throws the response to send instead. */
export type AccessCheck<V extends Visit> = (visit: Visit) => V | Promise<V>

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly detail?: object
  answer(visit: Visit): Promise<PageContent | Response>
}

export const definePage = <V extends Visit>(page: {
  path: string
  access: AccessCheck<V>
  show(visit: V): PageContent | Response | Promise<PageContent | Response>
}): PageRoute => ({
  method: 'GET',
  path: page.path,
  answer: async (visit) => page.show(await page.access(visit)),
})

/** Always 303, so that the browser continues with GET. */
export function seeOther({ basePath }: Visit, path: string): Response {
  const headers = { Location: basePath + path, 'Cache-Control': 'no-store', ...redirectHeaders }
  return new Response(null, { status: 303, headers })
}

/** Redirects need the COOP of pages: without it, a browser forgets which page opened this one. */
export const openerPolicy = { 'Cross-Origin-Opener-Policy': 'same-origin' }

/** The browser applies a redirect's Referrer-Policy to the request that follows. */
const redirectHeaders = { ...openerPolicy, 'Referrer-Policy': 'same-origin' }

export const anyone = (visit: Visit): Visit => visit

/** For signed-in users; others sign in first and come back. */
export function member(visit: Visit): MemberVisit {
  const { session } = visit
  if (session === undefined)
    throw new AnswerInstead(seeOther(visit, `/sign_in?return_to=${returnTarget(visit)}`))
  return { ...visit, session }
}

/** For works, episodes and search: also for visitors, unless `--public-catalogue off` makes them sign in first. */
export const catalogueReader = (visit: Visit): Visit =>
  visit.deps.config.publicCatalogue ? visit : member(visit)

/** For users who re-authenticated in the last 15 minutes (ASVS 7.5.1); others do so first and come back. */
export const recent = (visit: Visit): MemberVisit => confirmedWithin(visit, confirmationTime)

/** The same within another time, in milliseconds. */
export function confirmedWithin(visit: Visit, time: number): MemberVisit {
  const known = member(visit)
  if (isRecent(known, time)) return known
  throw new AnswerInstead(seeOther(visit, `/confirm?return_to=${returnTarget(visit)}`))
}

export function administrator(visit: Visit): MemberVisit {
  const known = member(visit)
  if (!known.session.isAdmin) {
    throw new PageProblem(403, (t) => [t.problem.adminsOnlyTitle, t.problem.adminsOnly], {}, 'account')
  }
  return recent(visit)
}

/** For editors of the catalogue and administrators, whose password is not asked again: all they do can be undone (D93). */
export function editor(visit: Visit): MemberVisit {
  const known = member(visit)
  if (decidesEdits(known.session)) return known
  throw new PageProblem(403, (t) => [t.problem.editorsOnlyTitle, t.problem.editorsOnly])
}

/** For whoever may edit the catalogue, or suggest it: `editingRight` tells which. */
export function contributor(visit: Visit): MemberVisit {
  const known = member(visit)
  if (editingRight(known.deps.config, known.session) === undefined) return editor(visit)
  return known
}

export const isRecent = ({ deps, session }: MemberVisit, time = confirmationTime): boolean =>
  deps.now() - session.confirmedAt <= time

const confirmationTime = 15 * 60_000

export function mustHaveFactor({ deps, session }: Visit): boolean {
  if (session === undefined) return false
  const { requireTwoStep } = deps.config
  return requireTwoStep === 'everyone' || (requireTwoStep === 'administrators' && session.isAdmin)
}

/** Whether the visitor signs in with a password, or could. */
export const usesPassword = ({ deps, session }: Visit): boolean =>
  deps.config.passwordSignIn && session?.hasPassword === true

/** Whether two-step verification must be set up first; the pages to do so and to sign out stay open. */
export const lacksFactor = (visit: Visit): boolean =>
  mustHaveFactor(visit) &&
  visit.session?.hasFactor === false &&
  usesPassword(visit) &&
  !exemptPaths.test(pathOf(visit.request.url))

const exemptPaths = /^\/(?:settings\/(?:two_step(?:\/[a-z_]+)?|passkeys)|confirm|sign_out|language)\/?$/

/** Pages below a list: the way back to it above them, and their place in the navigation. */
export const below = (
  list: { readonly path: string; readonly name: Message; readonly place?: NavigationPlace },
  routes: readonly PageRoute[],
): readonly PageRoute[] =>
  routes.map(({ answer, ...route }) => ({
    ...route,
    answer: async (visit) => {
      const content = await answer(visit)
      if (content instanceof Response) return content
      const back = { path: list.path, name: list.name(visit.t) }
      return { back, ...(list.place && { place: list.place }), ...content }
    },
  }))

/**
 * An installed app has no bar of the browser. The way back from a page that has none of its own: to the page that led there,
 * otherwise to the list that it belongs to. Undefined for the lists of the navigation.
 */
export function backInApp(visit: Visit, { place, back, isBare }: PageContent): PageContent['backInApp'] {
  const { t, session } = visit
  if (session === undefined || back !== undefined || isBare) return undefined
  const lists = {
    track: '/',
    find: '/seasons/now',
    library: `/@${session.username}/library/watching`,
    me: `/@${session.username}`,
  }
  const path = returnPath(visit)
  const isList = place === 'library' || path === lists.me || /^\/($|\?|seasons\/)/.test(path)
  if (isList && place !== undefined) return undefined
  const before = pageBefore(visit)
  if (before !== undefined && before !== path) return { path: before, name: t.problem.back }
  return { path: lists[place ?? 'track'], name: t.shell[place ?? 'track'] }
}
