import { sql } from 'kysely'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { isoTime } from '../../lib/time'
import { insertRecord } from '../new-record'
import { insertQuietReview } from '../new-review'
import { type Progress, progressOf } from '../progress/progress'
import { changeStatus, type StatusKind } from '../statuses'
import { unrated } from '../viewings'
import { type WatchedColumns, watchedSaid } from '../watched'
import type { Act, ActDeps } from './act'
import { visibleWorks } from './bulk-status'
import { openEpisodes, recordColumns } from './record-acts'
import { isStatusNewer, statusOf } from './status-change'
import { type OpenAct, writeAct } from './write-act'

/** `aired`: each on its day, as far as that is known; `year`: in the year of the work. */
export type PastTime = WatchedColumns | 'aired' | 'year'

export interface PastResult {
  readonly act: Act
  readonly works: number
  readonly records: number
  readonly viewings: number
}

/**
 * What was watched long ago (D89), in a single act: of each work every episode that has been broadcast and has neither record nor
 * skip in the current lap, or one viewing of a film that has none. A work without a status, or one that was planned or being
 * watched, becomes watched; while it still airs, it becomes watching. Nothing of it is told. Throws invalid_params for more than
 * 100 works or 3,000 episodes.
 */
export async function recordPast(
  deps: ActDeps,
  userId: number,
  { workIds, when }: { readonly workIds: readonly number[]; readonly when: PastTime },
): Promise<PastResult> {
  const sums = { works: 0, records: 0, viewings: 0 }
  const act = await writeAct(deps, userId, 'past', async (open) => {
    const works = await visibleWorks(open.tx, workIds)
    if (works.length > mostWorks) throw invalidParams(`work_ids must have 1 to ${mostWorks} ids.`)
    const progress = await progressOf(open.tx, { userId, workIds: works, now: deps.now() })
    let last: number | undefined
    for (const work of works) {
      const [facts] = await workFacts(open.tx, { work, user: userId })
      if (facts === undefined) continue
      const ofWork = { id: work, ...facts, progress: progress.get(work) }
      const viewings = facts.no_episodes === 1 ? await viewOnce(open, ofWork, when) : 0
      const episodes =
        facts.no_episodes === 1
          ? []
          : await recordAired(open, ofWork, { when, room: mostEpisodes - sums.records })
      if (viewings + episodes.length === 0) continue
      last = episodes.at(-1)
      sums.works += 1
      sums.viewings += viewings
      sums.records += episodes.length
      const left = await openEpisodes(open.tx, { userId, work, upTo: null })
      await follow(open, work, left.length > 0 ? 'watching' : 'watched')
    }
    const ofOne = works.length === 1 && last !== undefined ? { episodeId: last } : {}
    return { workId: works[0], count: sums.records + sums.viewings, ...ofOne }
  })
  return { act, ...sums }
}

/** Takes 0.2 s. */
const mostEpisodes = 3000
const mostWorks = 100

interface PastWork {
  readonly id: number
  readonly no_episodes: number
  readonly viewings: number
  readonly season_year: number | null
  readonly released_on: string
  readonly progress: Progress | undefined
}

const unknown = (now: number): WatchedColumns => ({ watched_at: now, watched_at_precision: 'none' })

/** A year or a date; unknown if it is none, or one to come. */
function dateOr(text: string, now: number): WatchedColumns {
  const said = text === '' ? unknown(now) : watchedSaid(text, undefined, now)
  return 'watched_at' in said ? said : unknown(now)
}

const yearOf = ({ season_year }: PastWork): string =>
  season_year === null ? '' : String(season_year).padStart(4, '0')

async function viewOnce(open: OpenAct, work: PastWork, when: PastTime): Promise<number> {
  if (work.viewings > 0 || work.released_on > isoTime(open.now).slice(0, 10)) return 0
  const { tx, userId: user_id, now, log } = open
  const dates = { aired: work.released_on, year: yearOf(work) }
  const watched = typeof when === 'string' ? dateOr(dates[when], now) : when
  const row = {
    ...unrated,
    ...watched,
    user_id,
    work_id: work.id,
    body: '',
    rating_overall_state: null,
    created_at: now,
  }
  await log.inserted('reviews', work.id, await insertQuietReview(tx, row))
  return 1
}

/** Returns the ids of the episodes. */
async function recordAired(
  open: OpenAct,
  work: PastWork,
  { when, room }: { readonly when: PastTime; readonly room: number },
): Promise<readonly number[]> {
  const { tx, userId, now, log } = open
  const { next, behind = 0 } = work.progress ?? {}
  if (next === undefined || behind === 0) return []
  const [last] = await episodeAfter(tx, { work: work.id, episode: next.id, steps: behind - 1 })
  const episodes = await openEpisodes(tx, { userId, work: work.id, upTo: last?.id ?? next.id })
  if (episodes.length > room)
    throw invalidParams(`work_ids must be the ids of works with at most ${mostEpisodes} unrecorded episodes.`)
  const days = when === 'aired' ? await daysOf(tx, work.id) : new Map<number, string>()
  const all = typeof when === 'string' ? dateOr(yearOf(work), now) : when
  const ids: number[] = []
  for (const { id } of episodes) {
    const watched = when === 'aired' ? dateOr(days.get(id) ?? '', now) : all
    ids.push(
      await insertRecord(tx, { ...recordColumns(open, { watched }), work_id: work.id, episode_id: id }),
    )
  }
  await log.inserted('records', work.id, ...ids)
  return episodes.map(({ id }) => id)
}

async function daysOf(tx: Tx, work: number): Promise<ReadonlyMap<number, string>> {
  const rows = await firstBroadcasts(tx, { work })
  // Until 5 in the morning in Japan it is the evening before.
  return new Map(rows.map(({ episode_id, at }) => [episode_id, isoTime(at + 4 * 3_600_000).slice(0, 10)]))
}

/** As a consequence, so that an undo may leave it. */
async function follow(open: OpenAct, work_id: number, kind: StatusKind): Promise<void> {
  const { tx, userId: user_id, now, aside } = open
  const before = await statusOf(tx, user_id, work_id)
  const isOpen = before === undefined || before === 'wanna_watch' || before === 'watching'
  if (!isOpen || before === kind || (await isStatusNewer(open, work_id))) return
  await aside.changedStatus(work_id, () =>
    changeStatus(tx, { user_id, work_id, kind, now, private: null, activity: null }),
  )
}

const workFacts = prepared((tx: Tx, slot: SlotOf<{ work: number; user: number }>) =>
  tx
    .selectFrom('works')
    .select(['no_episodes', 'season_year', 'released_on'])
    .select(({ selectFrom }) =>
      selectFrom('reviews') // uses reviews_user_work
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', slot('user'))
        .whereRef('work_id', '=', 'works.id')
        .where('watched_at', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('viewings'),
    )
    .where('id', '=', slot('work')),
)

/** The episode `steps` after another. Uses episodes_work. */
const episodeAfter = preparedSql<{ id: number }, { work: number; episode: number; steps: number }>(
  (slot) => sql`
    select id from episodes where work_id = ${slot('work')} and hidden = 0
      and (sort_number, id) >= (select sort_number, id from episodes where id = ${slot('episode')})
    order by sort_number, id limit 1 offset ${slot('steps')}`,
)

/** Uses programs_work. */
const firstBroadcasts = preparedSql<{ episode_id: number; at: number }, { work: number }>(
  (slot) => sql`
    select episode_id, min(started_at) as at from programs
    where work_id = ${slot('work')} and hidden = 0 and episode_id is not null group by episode_id`,
)
