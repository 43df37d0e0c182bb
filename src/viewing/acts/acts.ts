import { sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { prepared, type SlotOf } from '../../db/prepared'
import { deleteRecord } from '../../library/acts/own-record-acts'
import { rateWork } from '../../library/acts/rating-act'
import { skipEpisode } from '../../library/acts/record-acts'
import { undo } from '../../library/acts/undo'
import { deleteViewing, logViewing } from '../../library/acts/viewing-acts'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../library/acts/work-acts'
import { undoWritten } from '../../library/undo/undo-written'
import type { PageRoute } from '../../web/page'
import { viewingWithProblem } from '../viewing/page'
import { defineAct } from './act-route'
import { id, impression, ratingState, statusChoice, watchedText, whenChoice } from './values'
import { watchedBy } from './watched-choice'

/** The stable addresses of everything that takes one press; `record.ts` has the sheet. */
export const actRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/skip',
    values: { episode_id: id },
    run: ({ deps, session }, { episode_id }) => skipEpisode(deps, session.userId, { episodeId: episode_id }),
  }),
  defineAct({
    path: '/status',
    values: { work_id: id, kind: statusChoice },
    run: ({ deps, session }, { work_id, kind }) =>
      chooseStatus(deps, session.userId, { workId: work_id, kind }),
  }),
  defineAct({
    path: '/viewing',
    values: {
      work_id: id,
      rating_state: ratingState,
      comment: impression,
      watched_at: watchedText,
      precision: whenChoice,
    },
    run: async (visit, { work_id, rating_state, comment, ...when }) => {
      const year = when.precision === 'aired' ? await releaseYear(visit.deps.seen, { id: work_id }) : []
      return await logViewing(visit.deps, visit.session.userId, {
        workId: work_id,
        ratingState: rating_state,
        body: comment,
        watched: watchedBy(visit, when, year[0]?.text),
      })
    },
    refuse: viewingWithProblem,
  }),
  defineAct({
    path: '/rating',
    values: { work_id: id, rating_state: ratingState },
    run: ({ deps, session }, { work_id, rating_state }) =>
      rateWork(deps, session.userId, { workId: work_id, ratingState: rating_state }),
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
