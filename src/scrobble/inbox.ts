import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { actWithin } from '../library/acts/write-act'
import { seriesSource } from '../transfer/match/choices'
import { type KnownWork, knownWork } from '../transfer/match/known-work'
import { mostGrown, mostOf } from '../transfer/match/results'
import { choiceKeys } from '../transfer/match/said-play'
import { FieldProblem } from '../values/field-problem'
import type { ProposedWork } from './decide'
import { type DeliverDeps, watchedAt } from './deliver'
import { deliveriesMs } from './deliveries'
import type { ReportedPlay } from './report'
import { writePlays } from './write-plays'

/** Plays of one series and season that wait to be placed. */
export interface WaitingSeries {
  /** That of its newest delivery. */
  readonly id: number
  readonly title: string
  readonly season: number | null
  readonly plays: number
  readonly firstEpisode: number
  readonly lastEpisode: number
  /** When the newest one came, in epoch milliseconds. */
  readonly receivedAt: number
  readonly reason: string
  readonly proposals: readonly ProposedWork[]
  /** The first play of the newest one. */
  readonly said: ReportedPlay
}

/** Newest first. */
export async function waitingSeries(
  { read, now }: { read: Read; now(): number },
  userId: number,
): Promise<readonly WaitingSeries[]> {
  const rows = await waiting(read, { user: userId, after: now() - deliveriesMs })
  return rows.map(({ play, proposals, ...row }) => {
    const said: ReportedPlay = JSON.parse(play)
    const { titles, season } = said
    return { ...row, said, title: titles[0] ?? '', season: season ?? null, proposals: JSON.parse(proposals) }
  })
}

interface WaitingRow
  extends Pick<WaitingSeries, 'id' | 'plays' | 'firstEpisode' | 'lastEpisode' | 'reason' | 'receivedAt'> {
  readonly play: string
  readonly proposals: string
}

/** Entries of the inbox. More series than this are found again as soon as some are placed. */
const mostSeries = 200

// uses deliveries_waiting
const waiting = preparedSql<WaitingRow, { user: number; after: number }>(
  (slot) => sql`
    with series as (
      select max(id) as newest, sum(json_array_length(report, '$.plays')) as plays,
        min(report ->> '$.plays[0].episode') as firstEpisode, max(report ->> '$.plays[#-1].episode') as lastEpisode
      from deliveries
      where user_id = ${slot('user')} and result = 'unmatched' and dry_run = 0 and series_key is not null
        and received_at > ${slot('after')}
      group by series_key order by 1 desc limit ${sql.lit(mostSeries)})
    select id, plays, firstEpisode, lastEpisode, received_at as receivedAt, reason, report -> '$.plays[0]' as play,
      proposals
    from series cross join deliveries on deliveries.id = newest order by id desc`,
)

/** The player's numbers of what waits with a delivery, in order; at most `mostListed`, and then one more. */
export const waitingEpisodes = async (
  { read, now }: { read: Read; now(): number },
  userId: number,
  id: number,
): Promise<readonly number[]> => {
  const rows = await episodes(read, { user: userId, delivery: id, after: now() - deliveriesMs })
  return rows.map(({ episode }) => episode)
}

export const mostListed = 8

// uses deliveries_waiting
const episodes = preparedSql<{ episode: number }, { user: number; delivery: number; after: number }>(
  (slot) => sql`
    select distinct play.value ->> 'episode' as episode from deliveries, json_each(report, '$.plays') as play
    where user_id = ${slot('user')} and result = 'unmatched' and dry_run = 0 and received_at > ${slot('after')}
      and series_key = (select series_key from deliveries where id = ${slot('delivery')})
    order by 1 limit ${sql.lit(mostListed + 1)}`,
)

/** How many series and seasons wait. */
export async function countWaiting(
  { read, now }: { read: Read; now(): number },
  userId: number,
): Promise<number> {
  const [row] = await counted(read, { user: userId, after: now() - deliveriesMs })
  return row?.count ?? 0
}

// uses deliveries_waiting
const counted = preparedSql<{ count: number }, { user: number; after: number }>(
  (slot) => sql`
    select count(distinct series_key) as count from deliveries
    where user_id = ${slot('user')} and result = 'unmatched' and dry_run = 0 and series_key is not null
      and received_at > ${slot('after')}`,
)

export interface SeriesChoice {
  readonly workId: number
  /** Added to the player's numbers. */
  readonly episodeOffset: number
}

export interface PlacedSeries {
  /** Null if nothing was left to record. */
  readonly actId: number | null
  readonly recorded: number
}

/**
 * Records all that waits for a series and season as episodes of a work, and remembers it for all that comes: one act, whose
 * undo forgets the choice again. Throws not_found, and a `FieldProblem` of `episode_offset` if none of the episodes is in
 * the work's list.
 */
export async function placeSeries(
  deps: DeliverDeps,
  userId: number,
  id: number,
  { workId, episodeOffset }: SeriesChoice,
): Promise<PlacedSeries> {
  const [work] = await knownWork(deps.read, workId)
  if (work === undefined) throw notFound('The work')
  return await deps.write(async (tx) => {
    const deliveries = await waitingWith(tx, userId, id)
    const act = { tx, userId, now: deps.now(), isLate: false }
    const recorded = new Map<number, readonly number[]>()
    const { actId } = await actWithin(act, deps.wallClock.believed(), 'play', async (open) => {
      let [count, episodeId]: [number, number | undefined] = [0, undefined]
      for (const delivery of deliveries) {
        const plays = playsOfWork(delivery, work, episodeOffset)
        if (plays === undefined) continue
        const written = await writePlays(open, plays, delivery)
        if (!written.isListed) continue
        recorded.set(delivery.id, written.recordIds)
        count += written.count
        episodeId = written.episodeId ?? episodeId
      }
      return { workId: work.id, count, ...(episodeId !== undefined && { episodeId }) }
    })
    if (recorded.size === 0) throw new FieldProblem('usage', 'episode_offset', (t) => t.rules.outsideWork)
    await markPlaced(tx, { work, episodeOffset, actId, deliveries, recorded })
    await remember(tx, userId, deliveries, { work_id: work.id, episode_offset: episodeOffset, act_id: actId })
    return { actId, recorded: recorded.size }
  })
}

interface WaitingDelivery {
  readonly id: number
  readonly receivedAt: number
  readonly plays: readonly ReportedPlay[]
  readonly setsStatus: boolean
  readonly isTold: boolean
}

/** In one write, which takes some 0.2 s for as many. */
const mostAtOnce = 2000

export async function waitingWith(tx: Tx, user: number, id: number): Promise<readonly WaitingDelivery[]> {
  const rows = await waitingLike(tx, { user, id })
  if (rows.length === 0) throw notFound('The series')
  return rows.map(({ report, sets_status, is_told, ...row }) => ({
    ...{ id: row.id, receivedAt: row.received_at, plays: JSON.parse(report).plays },
    ...{ setsStatus: sets_status === 1, isTold: is_told === 1 },
  }))
}

interface WaitingLikeRow {
  readonly id: number
  readonly received_at: number
  readonly report: string
  readonly sets_status: number
  readonly is_told: number
}

// uses deliveries_waiting
const waitingLike = preparedSql<WaitingLikeRow, { user: number; id: number }>(
  (slot) => sql`
    select deliveries.id, received_at, report, ifnull(set_status, 1) as sets_status, ifnull(activity, 0) as is_told
    from deliveries left join hooks on hooks.id = hook_id
    where deliveries.user_id = ${slot('user')} and result = 'unmatched' and deliveries.dry_run = 0 and series_key = (
      select series_key from deliveries
      where id = ${slot('id')} and user_id = ${slot('user')} and result = 'unmatched' and dry_run = 0)
    order by deliveries.id limit ${sql.lit(mostAtOnce)}`,
)

/** Undefined if the work cannot have one of the numbers. Whoever chooses it knows better than an estimate how long it is. */
function playsOfWork({ plays, receivedAt }: WaitingDelivery, work: KnownWork, offset: number) {
  const most = work.isEstimated || work.count === null ? mostGrown : mostOf(work)
  const numbers = plays.map(({ episode }) => episode + offset)
  if (!work.isWhole && numbers.some((number) => number < 1 || number > most)) return undefined
  return plays.map(({ watchedAt: said }, at) => ({
    ...{ workId: work.id, episode: work.isWhole ? null : (numbers[at] ?? 1) },
    watched: watchedAt(said, receivedAt, false),
  }))
}

interface ToMark {
  readonly work: KnownWork
  readonly episodeOffset: number
  readonly actId: number | null
  readonly deliveries: readonly WaitingDelivery[]
  readonly recorded: ReadonlyMap<number, readonly number[]>
}

async function markPlaced(
  tx: Tx,
  { work, episodeOffset, actId, deliveries, recorded }: ToMark,
): Promise<void> {
  for (const { id, plays } of deliveries) {
    const ids = recorded.get(id)
    if (ids === undefined) continue
    const episode = work.isWhole ? null : (plays[0]?.episode ?? 0) + episodeOffset
    const result = actId === null ? 'duplicate' : 'recorded'
    const told = { result, rule: 'taught', work_id: work.id, episode, record_ids: JSON.stringify(ids) }
    await tx
      .updateTable('deliveries')
      .set({ ...told, act_id: actId })
      .where('id', '=', id)
      .execute()
  }
}

async function remember(
  tx: Tx,
  user_id: number,
  deliveries: readonly WaitingDelivery[],
  choice: { readonly work_id: number; readonly episode_offset: number; readonly act_id: number | null },
): Promise<void> {
  const keys = new Set(deliveries.flatMap(({ plays }) => plays.flatMap(choiceKeys)))
  for (const source_id of [...keys].slice(0, 100))
    await tx
      .insertInto('list_choices')
      .values({ user_id, source: seriesSource, source_id, ...choice })
      .onConflict((conflict) => conflict.columns(['user_id', 'source', 'source_id']).doUpdateSet(choice))
      .execute()
}
