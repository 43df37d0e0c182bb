import { pathOf } from '../http/incoming'
import type { Visit } from './visit'

export function mustHaveFactor({ deps, session }: Visit): boolean {
  if (session === undefined) return false
  const { requireTwoStep } = deps.config
  return requireTwoStep === 'everyone' || (requireTwoStep === 'administrators' && session.isAdmin)
}

/** Whether two-step verification must be set up first; the pages to do so and to sign out stay open. */
export const lacksFactor = (visit: Visit): boolean =>
  mustHaveFactor(visit) && visit.session?.hasFactor === false && !exemptPaths.test(pathOf(visit.request.url))

const exemptPaths = /^\/(?:settings\/two_step(?:\/[a-z_]+)?|confirm|sign_out|language)\/?$/
