import { seeOther } from './page'
import { AnswerInstead, PageProblem } from './problem'
import { returnTarget } from './return-to'
import type { MemberVisit, Visit } from './visit'

export const anyone = (visit: Visit): Visit => visit

/** Signed-in users; others sign in first and come back. */
export function member(visit: Visit): MemberVisit {
  const { session } = visit
  if (session === undefined)
    throw new AnswerInstead(seeOther(visit, `/sign_in?return_to=${returnTarget(visit)}`))
  return { ...visit, session }
}

/** Of works, episodes and search: visitors too, unless `--public-catalogue off` has them sign in first. */
export const catalogueReader = (visit: Visit): Visit =>
  visit.deps.config.publicCatalogue ? visit : member(visit)

/** Users who re-authenticated in the last 15 minutes (ASVS 7.5.1); others do so first and come back. */
export function recent(visit: Visit): MemberVisit {
  const known = member(visit)
  if (isRecent(known)) return known
  throw new AnswerInstead(seeOther(visit, `/confirm?return_to=${returnTarget(visit)}`))
}

export function administrator(visit: Visit): MemberVisit {
  const known = member(visit)
  if (!known.session.isAdmin) {
    throw new PageProblem(403, (t) => [t.problem.adminsOnlyTitle, t.problem.adminsOnly])
  }
  return recent(visit)
}

export const isRecent = ({ deps, session }: MemberVisit): boolean =>
  deps.now() - session.confirmedAt <= confirmationTime

const confirmationTime = 15 * 60_000
