import { sql } from 'kysely'
import { visibleEpisode, visibleWork } from '../../catalogue/lookups'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { flagColumn } from '../flags'
import { currentLap } from '../laps'
import { recordOne, recordSeveral } from '../new-record'
import { growTo } from '../next-episode'
import { newOpinion, type PressedRating } from '../ratings'
import type { WatchedColumns } from '../watched'
import { type Act, type ActDeps, RecordedBefore } from './act'
import { followWithStatus, type MarkedEntry, markBy, statusOf } from './status-change'
import { type OpenAct, writeAct } from './write-act'

interface NewRecordInput extends PressedRating {
  readonly episodeId: number
  readonly comment?: string | undefined
  /** By default now. */
  readonly watched?: WatchedColumns | undefined
  /** Whether only its user sees it; by default as they prefer (D72). */
  readonly isPrivate?: boolean | undefined
}

/** Adds a record in the current lap (D63). With `isOnce`, throws `RecordedBefore` if the episode has one there. */
export const recordEpisode = (
  deps: ActDeps,
  userId: number,
  { episodeId, isOnce, ...input }: NewRecordInput & { readonly isOnce?: boolean },
): Promise<Act> =>
  writeAct(deps, userId, 'record', async (act) => {
    const { id, work_id } = await visibleEpisode(act.tx, episodeId)
    if (isOnce && (await marksOf(act.tx, { userId, work: work_id, episode: id }))[0]?.records)
      throw new RecordedBefore()
    const record = await recordOne(act.tx, { ...recordColumns(act, input), work_id, episode_id: id })
    await act.log.inserted('records', work_id, record)
    await startWatching(act, work_id, input)
    return { workId: work_id, episodeId: id, count: 1 }
  })

/**
 * Every shown episode up to this one without a record or skip in the current lap. Throws `RecordedBefore` for none. A
 * comment and a rating are of this one, which gets another record for them if it has one.
 */
export const recordUpTo = (
  deps: ActDeps,
  userId: number,
  { episodeId, comment = '', ratingState, score, ...input }: NewRecordInput,
): Promise<Act> =>
  writeAct(deps, userId, 'record', async (act) => {
    const { id, work_id } = await visibleEpisode(act.tx, episodeId)
    const open = await openEpisodes(act.tx, { userId, work: work_id, upTo: id })
    const opinion = { comment, ...newOpinion({ rating_state: ratingState ?? undefined, score }) }
    const hasOpinion = comment !== '' || opinion.rating_state !== null
    const own = { id, work_id, opinion }
    const episodes = hasOpinion ? [...open.filter((episode) => episode.id !== id), own] : open
    const last = episodes.at(-1)
    if (open.length === 0 || last === undefined) throw new RecordedBefore()
    const records = await recordSeveral(act.tx, episodes, recordColumns(act, input))
    await act.log.inserted('records', work_id, ...records)
    await startWatching(act, work_id, input)
    return { workId: work_id, episodeId: last.id, count: episodes.length }
  })

/**
 * Within a write that is not this user's own: records those of the episodes that have no record in the current lap, as of a time.
 * Throws `RecordedBefore` for none.
 */
export async function recordTogether(
  act: OpenAct,
  { workId, episodeIds, watchedAt }: { workId: number; episodeIds: readonly number[]; watchedAt: number },
) {
  const asked = new Set(episodeIds)
  const all = await openEpisodes(act.tx, { userId: act.userId, work: workId, upTo: null })
  const [first, ...more] = all.filter(({ id }) => asked.has(id))
  if (first === undefined) throw new RecordedBefore()
  const last = more.at(-1) ?? first
  const watched = { watched_at: watchedAt, watched_at_precision: 'time' } as const
  const columns = recordColumns(act, { watched })
  const records =
    more.length === 0
      ? [await recordOne(act.tx, { ...columns, work_id: workId, episode_id: first.id })]
      : await recordSeveral(act.tx, [first, ...more], columns)
  await act.log.inserted('records', workId, ...records)
  await startWatching(act, workId, {})
  return { workId, episodeId: last.id, count: records.length, lastRecord: records.at(-1) ?? 0 }
}

/**
 * "Seen up to" a number in a list whose length nobody knows (D99): the list grows to it, and each open episode up to it is
 * recorded, without a date. Throws invalid_params for a list that does not grow, or if nothing is open.
 */
export const recordUpToNumber = (
  deps: ActDeps,
  userId: number,
  { workId, number }: { readonly workId: number; readonly number: number },
): Promise<Act> =>
  writeAct(deps, userId, 'record', async (act) => {
    const work_id = await visibleWork(act.tx, workId)
    const { last, added } = await growTo(act.tx, work_id, number)
    await act.aside.inserted('episodes', work_id, ...added)
    const episodes = await openEpisodes(act.tx, { userId, work: work_id, upTo: last })
    if (episodes.length === 0)
      throw invalidParams('number must be the number of an episode with an unrecorded one up to it.')
    const watched = { watched_at: act.now, watched_at_precision: 'none' } as const
    const records = await recordSeveral(act.tx, episodes, recordColumns(act, { watched }))
    await act.log.inserted('records', work_id, ...records)
    await startWatching(act, work_id, {})
    return { workId: work_id, episodeId: last, count: episodes.length }
  })

/** "Next" passes over it in the current lap; nothing is recorded. Throws `RecordedBefore` if it has a record there. */
export const skipEpisode = (
  deps: ActDeps,
  userId: number,
  { episodeId }: { readonly episodeId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'skip', async ({ tx, now, log }) => {
    const { id, work_id } = await visibleEpisode(tx, episodeId)
    const [{ lap, records } = { lap: 1, records: 0 }] = await marksOf(tx, {
      userId,
      work: work_id,
      episode: id,
    })
    if (records > 0) throw new RecordedBefore()
    const skip = await tx
      .insertInto('skips')
      .values({ user_id: userId, episode_id: id, lap, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (skip !== undefined) await log.inserted('skips', work_id, skip.id)
    return { workId: work_id, episodeId: id }
  })

export const recordColumns = (
  { userId, now }: OpenAct,
  { comment, ratingState, score, watched, isPrivate }: Omit<NewRecordInput, 'episodeId'>,
) => ({
  user_id: userId,
  comment: comment ?? '',
  ...newOpinion({ rating_state: ratingState ?? undefined, score }),
  share_twitter: 0,
  share_facebook: 0,
  watched_at: watched?.watched_at ?? now,
  watched_at_precision: watched?.watched_at_precision ?? 'time',
  created_at: now,
  private: flagColumn(isPrivate) ?? null,
})

/** Works that are on hold or dropped keep their status. */
async function startWatching(act: OpenAct, work_id: number, entry: MarkedEntry): Promise<void> {
  const kind = await statusOf(act.tx, act.userId, work_id)
  if (kind === undefined || kind === 'wanna_watch')
    await followWithStatus(act, { work_id, kind: 'watching', ...markBy(entry) })
}

/** `upTo`: null for all. */
type UpTo = { userId: number; work: number; upTo: number | null }

/** In list order. Uses episodes_work, records_user_episode and the index of skips' unique columns. */
export const openEpisodes = prepared((tx: Tx, slot: SlotOf<UpTo>) => {
  const lap = currentLap(slot('userId'), slot('work'))
  return tx
    .selectFrom('episodes')
    .select(['id', 'work_id'])
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .where(
      sql<boolean>`(${slot('upTo')} is null
        or (sort_number, id) <= (select sort_number, id from episodes where id = ${slot('upTo')}))`,
    )
    .where(
      sql<boolean>`not exists (
        select 1 from records where user_id = ${slot('userId')} and episode_id = episodes.id and lap = ${lap})`,
    )
    .where(
      sql<boolean>`not exists (
        select 1 from skips where user_id = ${slot('userId')} and episode_id = episodes.id and lap = ${lap})`,
    )
    .orderBy('sort_number')
    .orderBy('id')
})

type Marks = { userId: number; work: number; episode: number }

const marksOf = prepared((tx: Tx, slot: SlotOf<Marks>) => {
  const lap = currentLap(slot('userId'), slot('work'))
  const records = sql<number>`(
    select count(*) from records
    where user_id = ${slot('userId')} and episode_id = ${slot('episode')} and lap = ${lap})`
  return tx.selectNoFrom([lap.as('lap'), records.as('records')])
})
