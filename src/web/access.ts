import { seeOther } from './page'
import { AnswerInstead, PageProblem } from './problem'
import { returnTarget } from './return-to'
import type { MemberVisit, Visit } from './visit'

/** For everybody. */
export const anyone = (visit: Visit): Visit => visit

/** For those who are signed in; others sign in first and come back. */
export function member(visit: Visit): MemberVisit {
  const { session } = visit
  if (session === undefined)
    throw new AnswerInstead(seeOther(visit, `/sign_in?return_to=${returnTarget(visit)}`))
  return { ...visit, session }
}

/** For those who proved in the last 15 minutes that they are there (ASVS 7.5.1); others do that first and come back. */
export function recent(visit: Visit): MemberVisit {
  const known = member(visit)
  if (isRecent(known)) return known
  throw new AnswerInstead(seeOther(visit, `/confirm?return_to=${returnTarget(visit)}`))
}

/** For administrators, who proved that they are there. */
export function administrator(visit: Visit): MemberVisit {
  const known = member(visit)
  if (!known.session.isAdmin) {
    throw new PageProblem(
      403,
      (t) => t.problem.adminsOnlyTitle,
      (t) => t.problem.adminsOnly,
    )
  }
  return recent(visit)
}

/** Whether that proof is recent, for a page that shows a form only then. */
export const isRecent = ({ deps, session }: MemberVisit): boolean =>
  deps.now() - session.confirmedAt <= confirmationTime

const confirmationTime = 15 * 60_000
