import { pathOf } from '../http/incoming'
import type { Visit } from './visit'

/** Whether this instance asks whoever visits for two-step verification (`--require-two-step`). */
export function mustHaveFactor({ deps, session }: Visit): boolean {
  if (session === undefined) return false
  const { requireTwoStep } = deps.config
  return requireTwoStep === 'everyone' || (requireTwoStep === 'administrators' && session.isAdmin)
}

/** Whether the visitor has to set it up first: on every page but the way there and out. */
export const lacksFactor = (visit: Visit): boolean =>
  mustHaveFactor(visit) && visit.session?.hasFactor === false && !stillOpen.test(pathOf(visit.request.url))

const stillOpen = /^\/(?:settings\/two_step(?:\/[a-z_]+)?|confirm|sign_out|language)\/?$/
