import { sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { prepared, type SlotOf } from '../../db/prepared'
import type { RawValues } from '../../http/request-values'
import { chooseStatuses, markStatuses, mostWorksAtOnce } from '../../library/acts/bulk-status'
import { deleteRecord } from '../../library/acts/own-record-acts'
import { rateWork, rateWorks } from '../../library/acts/rating-act'
import { skipEpisode } from '../../library/acts/record-acts'
import { undo } from '../../library/acts/undo'
import { deleteViewing, logViewing } from '../../library/acts/viewing-acts'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../library/acts/work-acts'
import { statusKinds } from '../../library/statuses'
import { undoWritten } from '../../library/undo/undo-written'
import { oneOf } from '../../values/text'
import { partialDate } from '../../values/time'
import { orBlank } from '../../values/value'
import type { PageRoute } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { datesPageWithProblem, statusOfWork } from '../library/dates-page'
import { chosenIn } from '../library/library-view'
import { markSaid, privateValues } from '../parts/private-mark'
import { ratingSaid, ratingValues } from '../parts/rating-form'
import { typedDate } from '../parts/typed-date'
import { viewingWithProblem } from '../viewing/page'
import { defineAct, id, impression, statusChoice, watchedText, whenChoice } from './act-route'
import { watchedBy } from './record'

/** The stable addresses of everything that takes one press; `record.ts` has the sheet. */
export const actRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/skip',
    values: { episode_id: id },
    run: ({ deps, session }, { episode_id }) => skipEpisode(deps, session.userId, { episodeId: episode_id }),
  }),
  defineAct({
    path: '/status',
    values: { work_id: id, kind: statusChoice, ...privateValues },
    run: ({ deps, session }, { work_id, kind, ...mark }) =>
      chooseStatus(deps, session.userId, { workId: work_id, kind, isPrivate: markSaid(mark) }),
  }),
  defineAct({
    path: '/viewing',
    values: {
      work_id: id,
      ...ratingValues,
      comment: impression,
      watched_at: watchedText,
      precision: whenChoice,
      ...privateValues,
    },
    run: async (visit, { work_id, comment, watched_at, precision, ...values }, sent) => {
      const when = { watched_at, precision }
      const year = when.precision === 'aired' ? await releaseYear(visit.deps.seen, { id: work_id }) : []
      return await logViewing(visit.deps, visit.session.userId, {
        workId: work_id,
        ...ratingSaid(visit, values, sent),
        body: comment,
        watched: watchedBy(visit, when, year[0]?.text),
        isPrivate: markSaid(values),
      })
    },
    refuse: viewingWithProblem,
  }),
  defineAct({
    path: '/rating',
    values: { work_id: id, ...ratingValues },
    run: (visit, { work_id, ...values }, sent) =>
      rateWork(visit.deps, visit.session.userId, { workId: work_id, ...ratingSaid(visit, values, sent) }),
  }),
  defineAct({
    path: '/viewing/delete',
    values: { review_id: id },
    run: ({ deps, session }, { review_id }) => deleteViewing(deps, session.userId, { reviewId: review_id }),
  }),
  defineAct({
    path: '/record/delete',
    values: { record_id: id },
    run: ({ deps, session }, { record_id }) => deleteRecord(deps, session.userId, { recordId: record_id }),
  }),
  defineAct({
    path: '/episodes',
    values: { work_id: id },
    run: ({ deps, session }, { work_id }) => addNextEpisode(deps, session.userId, { workId: work_id }),
  }),
  defineAct({
    path: '/laps',
    values: { work_id: id },
    run: ({ deps, session }, { work_id }) => startLap(deps, session.userId, { workId: work_id }),
  }),
  defineAct({
    path: '/notes',
    values: { work_id: id, text: impression },
    run: ({ deps, session }, { work_id, text }) => writeNote(deps, session.userId, { workId: work_id, text }),
  }),
  defineAct({
    path: '/undo',
    values: { act_id: id },
    run: ({ deps, session }, { act_id }) => undo(deps, session.userId, { actId: act_id }),
  }),
  // What an application wrote (D122): nothing is left of it that the next page could name.
  defineAct({
    path: '/undo/written',
    values: { activity_id: id },
    run: async ({ deps, session }, { activity_id }) => {
      await undoWritten(deps, session.userId, { activityId: activity_id })
      return { id: activity_id, undoneAt: deps.now(), word: 'written_undone' }
    },
  }),
]

/** `2019`, for users who saw a film when it came out. */
const releaseYear = prepared((read, slot: SlotOf<{ id: number }>) =>
  read
    .selectFrom('works')
    .select(sql<string>`printf('%04d', season_year)`.as('text'))
    .where('id', '=', survivor('works', slot('id')))
    .where('season_year', 'is not', null),
)

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
    path: '/status/bulk/private',
    values: { private: oneOf(['0', '1']) },
    run: ({ deps, session }, sent, all) =>
      markStatuses(deps, session.userId, { workIds: chosenWorks(all), isPrivate: sent.private === '1' }),
  }),
  defineAct({
    path: '/rating/bulk',
    values: ratingValues,
    run: (visit, values, sent) => {
      const rating = ratingSaid(visit, values, sent)
      if (!rating.ratingState && rating.score === undefined)
        throw new FormProblem('rating_state', (t) => t.form.notOffered)
      return rateWorks(visit.deps, visit.session.userId, { workIds: chosenWorks(sent), ...rating })
    },
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
