import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import type { RawValues } from '../../http/request-values'
import { type Act, RecordedBefore } from '../../library/acts/act'
import { recordEpisode, recordUpTo, recordUpToNumber } from '../../library/acts/record-acts'
import { progressOf } from '../../library/progress/progress'
import { type Precision, type WatchedColumns, watchedSaid } from '../../library/watched'
import type { Message } from '../../messages/languages'
import { readerTime } from '../../pages/local-format'
import { oneOf } from '../../values/text'
import { partialDate } from '../../values/time'
import { InvalidValue } from '../../values/value'
import type { PageRoute } from '../../web/page'
import { wantsJson } from '../../web/press-answer'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { markSaid, privateValues } from '../parts/private-mark'
import { ratingSaid, ratingValues } from '../parts/rating-form'
import { isDecade, typedDate } from '../parts/typed-date'
import { broadcastDate, episodeToRecord } from '../sheet/episode-to-record'
import { sheetWithProblem } from '../sheet/page'
import {
  ActRefused,
  type ActVisit,
  defineAct,
  episodeNumber,
  id,
  impression,
  type ReadValues,
  watchedText,
  whenChoice,
} from './act-route'

const values = {
  episode_id: id,
  comment: impression,
  ...ratingValues,
  watched_at: watchedText,
  precision: whenChoice,
  // '1' unless the page showed a record of it already: another tab or device may have made one since.
  once: oneOf(['', '1']),
  ...privateValues,
}

type RecordValues = ReadValues<typeof values>

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
    run: async (visit, values, sent) => {
      const record = await recordFrom(visit, values, sent)
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

async function recordOnce(visit: ActVisit, said: RecordValues, sent: RawValues) {
  const record = await recordFrom(visit, said, sent)
  const once = { ...record, isOnce: said.once === '1' }
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
    const hasOpinion = Boolean(record.comment || record.ratingState || record.score)
    // The outbox keeps it by itself.
    if (!(cause instanceof RecordedBefore) || !hasOpinion || wantsJson(visit)) throw cause
    throw new FormProblem('episode_id', (t) => t.phone.elsewhere, 409)
  }
}

async function recordFrom(visit: MemberVisit, said: RecordValues, sent: RawValues) {
  const { episode_id, comment, watched_at, precision } = said
  const when = { watched_at, precision }
  const aired = when.precision === 'aired' ? await airedOn(visit, episode_id) : undefined
  return {
    episodeId: episode_id,
    comment,
    ...ratingSaid(visit, said, sent),
    watched: watchedBy(visit, when, aired),
    isPrivate: markSaid(said),
  }
}

async function airedOn({ deps, session }: MemberVisit, id: number): Promise<string | undefined> {
  const [episode] = await episodeToRecord(deps.seen, { id, user: session.userId })
  return episode?.aired_at ? broadcastDate(episode.aired_at) : undefined
}

interface WatchedChoice {
  readonly watched_at: string
  readonly precision: Precision | 'aired' | 'date' | undefined
}

/** Throws a `FormProblem` for `watched_at`. `airedOn`: the day of the broadcast, if known. */
export function watchedBy(
  visit: MemberVisit,
  { watched_at, precision }: WatchedChoice,
  airedOn?: string,
): WatchedColumns {
  const { now } = visit
  if (precision === 'date' && watched_at === '') throw wrong((t) => t.sheet.dateMissing)
  if (precision === 'aired' && airedOn === undefined) throw wrong((t) => t.sheet.airedUnknown)
  const today = readerTime(visit, now)
  const text = precision === 'aired' ? (airedOn ?? '') : typedDate(watched_at, today)
  const kept = precision === 'aired' || precision === 'date' ? undefined : precision
  const said = watchedSaid(text.trim(), kept, now)
  if (said instanceof InvalidValue) throw wrong(precision === 'date' ? dateRule(text, said) : said.rule)
  return said
}

/** For an unreadable date, the rule for dates only: the form does not ask for a time. */
function dateRule(text: string, said: InvalidValue): Message {
  if (isDecade(text)) return (t) => t.sheet.decade
  const date = partialDate.read(text)
  return date instanceof InvalidValue ? date.rule : said.rule
}

const wrong = (text: Message) => new FormProblem('watched_at', text)

/** Catches up with a work: records every episode that is known to have been broadcast and has no record yet. */
export const recordAired: PageRoute = defineAct({
  path: '/record/aired',
  values: { work_id: id },
  run: async ({ deps, session, now }, { work_id }) => {
    const asked = { userId: session.userId, workIds: [work_id], now }
    const { next, behind } = (await progressOf(deps.seen, asked)).get(work_id) ?? {
      next: undefined,
      behind: 0,
    }
    if (next === undefined || behind === 0) throw new ActRefused('none_aired')
    const [last] = await episodeAfter(deps.seen, { work: work_id, episode: next.id, steps: behind - 1 })
    return recordUpTo(deps, session.userId, { episodeId: last?.id ?? next.id })
  },
})

/** The episode `steps` after another. Uses episodes_work. */
const episodeAfter = prepared((read, slot: SlotOf<{ work: number; episode: number; steps: number }>) =>
  read
    .selectFrom('episodes')
    .select('id')
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .where(
      sql<boolean>`(sort_number, id) >= (select sort_number, id from episodes where id = ${slot('episode')})`,
    )
    .orderBy('sort_number')
    .orderBy('id')
    .limit(1)
    .offset(slot('steps')),
)
