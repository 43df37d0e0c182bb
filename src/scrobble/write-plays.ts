import { sql } from 'kysely'
import { visibleWork } from '../catalogue/lookups'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import { logStatus, statusOf } from '../library/acts/status-change'
import type { OpenAct } from '../library/acts/write-act'
import { beginLap, lapOf } from '../library/laps'
import { insertRecord, recordOne } from '../library/new-record'
import { insertQuietReview, insertReview } from '../library/new-review'
import { canGrowTo, growTo } from '../library/next-episode'
import { changeStatus, type StatusKind } from '../library/statuses'
import { unrated } from '../library/viewings'
import type { WatchedColumns } from '../library/watched'

export interface PlayToWrite {
  readonly workId: number
  /** Null for a work that is watched as a whole. */
  readonly episode: number | null
  readonly watched: WatchedColumns
}

export interface PlayEffects {
  readonly setsStatus: boolean
  /** With activities, for followers. */
  readonly isTold: boolean
}

/** What an act wrote: rows of `records`, and the last episode concerned. */
export interface WrittenPlays {
  readonly recordIds: readonly number[]
  readonly count: number
  readonly workId: number
  readonly episodeId: number | undefined
  /** False if an episode is not in the list of its work, which does not grow: then nothing was written. */
  readonly isListed: boolean
}

/**
 * Records plays within an act: those of an episode or a film that has none within 12 hours of them, by hand or by a player.
 * Episode 1 of a watched work begins its next lap (D63).
 */
export async function writePlays(
  act: OpenAct,
  plays: readonly PlayToWrite[],
  effects: PlayEffects,
): Promise<WrittenPlays> {
  const recordIds: number[] = []
  let [count, workId, last]: [number, number, number | undefined] = [0, plays[0]?.workId ?? 0, undefined]
  const targets = await Promise.all(plays.map((play) => targetOf(act.tx, play)))
  if (targets.includes(undefined)) return { recordIds, count, workId, episodeId: last, isListed: false }
  for (const target of targets.flatMap((one) => one ?? [])) {
    const written =
      target.episode === null
        ? await writeViewing(act, target.workId, target.watched, effects)
        : await writeRecord(act, target.workId, { ...target, episode: target.episode }, effects)
    if (written === undefined) continue
    count += 1
    workId = target.workId
    last = written.episodeId
    if (written.recordId !== undefined) recordIds.push(written.recordId)
  }
  return { recordIds, count, workId, episodeId: last, isListed: true }
}

/** The work may have been merged, or its list completed, since it was decided. Undefined if the episode is not in its list. */
async function targetOf(tx: Tx, play: PlayToWrite): Promise<PlayToWrite | undefined> {
  const workId = await visibleWork(tx, play.workId)
  const [kind] = await kindOf(tx, { work: workId })
  if (kind?.is_whole === 1) return { ...play, workId, episode: null }
  if (play.episode === null || play.episode < 1) return undefined
  const isKnown = (await episodeNumbered(tx, numberedAs(workId, play.episode))) !== undefined
  return isKnown || (await canGrowTo(tx, workId, play.episode)) ? { ...play, workId } : undefined
}

const numberedAs = (work: number, episode: number) => ({ work, number: String(episode), place: episode - 1 })

interface WrittenPlay {
  readonly recordId?: number
  readonly episodeId?: number
}

/** Undefined if it has been recorded. */
async function writeRecord(
  act: OpenAct,
  work: number,
  { episode, watched }: PlayToWrite & { readonly episode: number },
  effects: PlayEffects,
): Promise<WrittenPlay | undefined> {
  const { tx, userId } = act
  const known = await episodeNumbered(tx, numberedAs(work, episode))
  const at = watched.watched_at
  if (known !== undefined && (await wasRecorded(tx, { user: userId, episode: known, at }))) return undefined
  const status = await statusOf(tx, userId, work)
  if (episode === 1 && status === 'watched') await beginNextLap(act, work)
  const episodeId = known ?? (await grow(act, work, episode))
  const recordId = await insertOne(act, work, episodeId, watched, effects.isTold)
  await act.log.inserted('records', work, recordId)
  if (effects.setsStatus && (status === undefined || status === 'wanna_watch'))
    await follow(act, work, 'watching', effects.isTold)
  return { recordId, episodeId }
}

async function beginNextLap(act: OpenAct, work_id: number): Promise<void> {
  const own = { user_id: act.userId, work_id }
  if ((await lapOf(act.tx, own)).isEmpty) return
  await act.log.inserted('laps', work_id, await beginLap(act.tx, { ...own, now: act.now }))
}

async function grow({ tx, aside }: OpenAct, work: number, episode: number): Promise<number> {
  const { last, added } = await growTo(tx, work, episode)
  await aside.inserted('episodes', work, ...added)
  return last
}

async function insertOne(
  { tx, userId, now }: OpenAct,
  work_id: number,
  episode_id: number,
  watched: WatchedColumns,
  isTold: boolean,
): Promise<number> {
  const plain = { comment: '', rating: null, rating_state: null, share_twitter: 0, share_facebook: 0 }
  const row = { ...plain, ...watched, user_id: userId, work_id, episode_id, created_at: now }
  return isTold ? await recordOne(tx, row) : await insertRecord(tx, row)
}

/** As a consequence, so that an undo may leave it. */
async function follow(act: OpenAct, work_id: number, kind: StatusKind, isTold: boolean): Promise<void> {
  if (isTold) return await logStatus(act, act.aside, { work_id, kind })
  await act.aside.changedStatus(work_id, () =>
    changeStatus(act.tx, { user_id: act.userId, work_id, kind, now: act.now, private: null, activity: null }),
  )
}

/** A film played to its end is a viewing (D60). */
async function writeViewing(
  act: OpenAct,
  work: number,
  watched: WatchedColumns,
  { setsStatus, isTold }: PlayEffects,
): Promise<WrittenPlay | undefined> {
  const { tx, userId: user, now } = act
  const [seen] = await viewedAt(tx, { user, work, at: watched.watched_at })
  if (seen !== undefined) return undefined
  const row = {
    ...unrated,
    ...watched,
    user_id: user,
    work_id: work,
    body: '',
    rating_overall_state: null,
    created_at: now,
  }
  const id = isTold ? await insertReview(tx, row) : await insertQuietReview(tx, row)
  await act.log.inserted('reviews', work, id)
  const status = await statusOf(tx, user, work)
  const isOpen = status === undefined || status === 'wanna_watch' || status === 'watching'
  if (setsStatus && isOpen) await follow(act, work, 'watched', isTold)
  return {}
}

const halfDay = 12 * 3_600_000

/** By its number, else by its place in the list. */
export async function episodeNumbered(
  tx: Tx,
  values: { work: number; number: string; place: number },
): Promise<number | undefined> {
  const [found] = await numbered(tx, values)
  return found?.id
}

// uses episodes_work
const numbered = preparedSql<{ id: number }, { work: number; number: string; place: number }>(
  (slot) => sql`
    select id from (
      select id, number, row_number() over (order by sort_number, id) - 1 as place from episodes
      where work_id = ${slot('work')} and hidden = 0)
    where number = ${slot('number')} or place = ${slot('place')}
    order by number is not ${slot('number')}, place limit 1`,
)

const kindOf = preparedSql<{ is_whole: number }, { work: number }>(
  (slot) => sql`select no_episodes = 1 or media = 'movie' as is_whole from works where id = ${slot('work')}`,
)

async function wasRecorded(tx: Tx, values: { user: number; episode: number; at: number }): Promise<boolean> {
  return (await recordedAt(tx, values)).length > 0
}

// uses records_user_episode
const recordedAt = preparedSql<{ id: number }, { user: number; episode: number; at: number }>(
  (slot) => sql`
    select id from records where user_id = ${slot('user')} and episode_id = ${slot('episode')}
      and abs(watched_at - ${slot('at')}) < ${sql.lit(halfDay)} limit 1`,
)

// uses reviews_user_work
const viewedAt = preparedSql<{ id: number }, { user: number; work: number; at: number }>(
  (slot) => sql`
    select id from reviews where user_id = ${slot('user')} and work_id = ${slot('work')}
      and abs(watched_at - ${slot('at')}) < ${sql.lit(halfDay)} limit 1`,
)
