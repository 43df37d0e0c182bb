import { type Act, RecordedBefore } from '../../library/acts/act'
import { recordEpisode, recordUpTo, recordUpToNumber } from '../../library/acts/record-acts'
import { oneOf } from '../../values/text'
import type { PageRoute } from '../../web/page'
import { wantsJson } from '../../web/press-answer'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { broadcastDate, episodeToRecord } from '../sheet/episode-to-record'
import { sheetWithProblem } from '../sheet/page'
import { type ActVisit, defineAct, type ReadValues } from './act-route'
import { episodeNumber, id, impression, ratingState, watchedText, whenChoice } from './values'
import { watchedBy } from './watched-choice'

const values = {
  episode_id: id,
  comment: impression,
  rating_state: ratingState,
  watched_at: watchedText,
  precision: whenChoice,
  // '1' unless the page showed a record of it already: another tab or device may have made one since.
  once: oneOf(['', '1']),
}

export const recordRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/record',
    values,
    run: recordOnce,
    refuse: sheetWithProblem,
  }),
  defineAct({
    path: '/record/up_to',
    values,
    run: async (visit, sent) => {
      const record = await recordFrom(visit, sent)
      return await unlessBefore(visit, record, recordUpTo(visit.deps, visit.session.userId, record))
    },
    refuse: sheetWithProblem,
  }),
  defineAct({
    path: '/record/seen_up_to',
    values: { work_id: id, number: episodeNumber },
    run: ({ deps, session }, { work_id, number }) =>
      recordUpToNumber(deps, session.userId, { workId: work_id, number }),
  }),
]

async function recordOnce(visit: ActVisit, sent: ReadValues<typeof values>) {
  const record = await recordFrom(visit, sent)
  const once = { ...record, isOnce: sent.once === '1' }
  return await unlessBefore(visit, record, recordEpisode(visit.deps, visit.session.userId, once))
}

/** If another tab was first, the sheet asks what to do with an opinion: it is not lost, and nothing is recorded twice. */
async function unlessBefore(
  visit: ActVisit,
  record: Awaited<ReturnType<typeof recordFrom>>,
  act: Promise<Act>,
): Promise<Act> {
  try {
    return await act
  } catch (cause) {
    const hasOpinion = Boolean(record.comment) || Boolean(record.ratingState)
    // The outbox keeps it by itself.
    if (!(cause instanceof RecordedBefore) || !hasOpinion || wantsJson(visit)) throw cause
    throw new FormProblem('episode_id', (t) => t.phone.elsewhere, 409)
  }
}

async function recordFrom(visit: MemberVisit, sent: ReadValues<typeof values>) {
  const { episode_id, comment, rating_state, once: _, ...when } = sent
  const aired = when.precision === 'aired' ? await airedOn(visit, episode_id) : undefined
  return { episodeId: episode_id, comment, ratingState: rating_state, watched: watchedBy(visit, when, aired) }
}

async function airedOn({ deps, session }: MemberVisit, id: number): Promise<string | undefined> {
  const [episode] = await episodeToRecord(deps.seen, { id, user: session.userId })
  return episode?.aired_at ? broadcastDate(episode.aired_at) : undefined
}
