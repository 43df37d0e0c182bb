import type { RawValues } from '../../http/request-values'
import { chooseStatuses, mostWorksAtOnce } from '../../library/acts/bulk-status'
import { rateWorks } from '../../library/acts/rating-act'
import { chooseStatus } from '../../library/acts/work-acts'
import { ratingStates } from '../../library/ratings'
import { statusKinds } from '../../library/statuses'
import { oneOf } from '../../values/text'
import { partialDate } from '../../values/time'
import { orBlank } from '../../values/value'
import type { PageRoute } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { datesPageWithProblem, statusOfWork } from '../library/dates-page'
import { chosenIn } from '../library/library-view'
import { typedDate } from '../parts/typed-date'
import { defineAct } from './act-route'
import { id } from './values'

const dateOrBlank = orBlank(
  { ...partialDate, read: (text, now) => partialDate.read(typedDate(text), now) },
  null,
)

export const statusRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/status/bulk',
    values: { kind: oneOf(statusKinds) },
    run: ({ deps, session }, { kind }, sent) =>
      chooseStatuses(deps, session.userId, { workIds: chosenWorks(sent), kind }),
  }),
  defineAct({
    path: '/rating/bulk',
    values: { rating_state: oneOf(ratingStates) },
    run: ({ deps, session }, { rating_state }, sent) =>
      rateWorks(deps, session.userId, { workIds: chosenWorks(sent), ratingState: rating_state }),
  }),
  // D71. Leaves the status unchanged.
  defineAct({
    path: '/status/dates',
    values: { work_id: id, started_on: dateOrBlank, finished_on: dateOrBlank },
    run: async ({ deps, session }, { work_id, started_on, finished_on }) => {
      const [status] = await statusOfWork(deps.seen, { user: session.userId, work: work_id })
      if (status === undefined) throw new FormProblem('work_id', (t) => t.library.noStatus)
      if (isBefore(finished_on, started_on))
        throw new FormProblem('finished_on', (t) => t.library.finishedBeforeStarted)
      const dates = { startedOn: started_on, finishedOn: finished_on }
      return await chooseStatus(deps, session.userId, { workId: work_id, kind: status.kind, ...dates })
    },
    refuse: datesPageWithProblem,
  }),
]

function chosenWorks(sent: RawValues): readonly number[] {
  const ids = chosenIn(sent)
  if (ids.length === 0) throw new FormProblem('work', (t) => t.library.noneChosen)
  if (ids.length > mostWorksAtOnce)
    throw new FormProblem('work', (t) => t.library.tooManyChosen(mostWorksAtOnce))
  return ids
}

/** Compares only the parts known of both. */
function isBefore(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false
  const known = Math.min(one.length, other.length)
  return one.slice(0, known) < other.slice(0, known)
}
