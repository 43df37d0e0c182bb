import { type RawBuilder, sql } from 'kysely'
import { isCounted, isGrowing } from '../../catalogue/estimate/broadcast-rule'
import type { Read } from '../../db/open'
import { preparedSql, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { currentLap } from '../laps'
import { isOnChannelsOf } from '../programs'
import { type AiredRow, type Airing, type AiringRow, airedEpisodes, airingOf } from './airing'

/** How far a user is in a work, in the current lap (D63). */
export interface Progress {
  readonly workId: number
  readonly lap: number
  /** Episodes with a record in this lap; `known` counts all that are listed. */
  readonly watched: number
  readonly known: number
  /** Nobody knows how many episodes there are, but that there are `known` at least (D99). */
  readonly isOpen: boolean
  /** The first episode that is neither recorded nor skipped; undefined after the last known one. */
  readonly next: NextEpisode | undefined
  /** Episodes from the next one on that are known to have been broadcast. */
  readonly behind: number
  /** Those of them without a record in this lap, which need not have begun at the first episode. */
  readonly unseen: number
  /** No source has listed all episodes, so a member may add the next one (D62). */
  readonly mayGrow: boolean
}

export interface NextEpisode {
  readonly id: number
  readonly number: string | null
  readonly numberText: string
  readonly title: string
  readonly isEstimated: boolean
  /** Undefined if it is not known when it is or was broadcast. */
  readonly airing: Airing | undefined
  readonly hasAired: boolean
}

/** Of shown works, in any order. `now`: epoch milliseconds. */
export async function progressOf(
  read: Read | Tx,
  { userId, workIds, now }: { userId: number; workIds: readonly number[]; now: number },
): Promise<ReadonlyMap<number, Progress>> {
  const rows = await progressRows(read, { user: userId, works: JSON.stringify(workIds), now })
  return new Map(rows.map((row) => [row.work_id, progressFrom(row, now)]))
}

interface ProgressRow extends AiredRow {
  readonly work_id: number
  readonly lap: number
  readonly known: number
  readonly watched: number
  readonly season_begin: number | null
  readonly no_episodes: number
  /** 1 if the list may get further episodes. */
  readonly is_growing: number
  readonly episode_id: number | null
  readonly number: string | null
  readonly number_text: string | null
  readonly episode_title: string | null
  readonly episode_estimated: number | null
}

/** `works` is a JSON array of ids. */
const progressRows = preparedSql<ProgressRow, { user: number; works: string; now: number }>(
  (slot) => sql<ProgressRow>`
    with asked as materialized (
      select works.id as work_id, episodes_count, no_episodes, ${sql.raw(isGrowing)} as is_growing, broadcast_begin, broadcast_end,
        broadcast_interval, released_on, ${sql.raw(isCounted)} as is_counted, ${seasonBegin} as season_begin,
        ${currentLap(slot('user'), sql.ref('works.id'))} as lap
      from json_each(${slot('works')}) as one join works on works.id = one.value
    ), nexts as materialized (
      select asked.*, ${watched(slot)} as watched, ${nextId(slot)} as episode_id
      from asked
    )
    select nexts.work_id, lap, nexts.episodes_count as known, watched, season_begin, no_episodes, is_growing,
      broadcast_begin, broadcast_end, broadcast_interval, released_on, is_counted, nexts.episode_id,
      next.number, next.number_text, next.title as episode_title, next.estimated as episode_estimated,
      ${position(sql.ref('nexts.episode_id'))} as position, ${position(firstToCome(slot))} as first_to_come, programs.started_at, programs.estimated as program_estimated, channels.name as channel
    from nexts left join episodes as next on next.id = nexts.episode_id
      left join programs on programs.id = ${programId(slot)}
      left join channels on channels.id = programs.channel_id`,
)

type Slots = SlotOf<{ user: number; works: string; now: number }>

const watched = (slot: Slots) => sql`(
  select count(*) from episodes as e where e.work_id = asked.work_id and e.hidden = 0 and ${isRecorded(slot)})`

// uses records_user_episode
const isRecorded = (slot: Slots) => sql`exists (select 1 from records
  where user_id = ${slot('user')} and records.episode_id = e.id and records.lap = asked.lap)`

// uses episodes_work
const nextId = (slot: Slots) => sql`(
  select e.id from episodes as e
  where e.work_id = asked.work_id and e.hidden = 0
    and not ${isRecorded(slot)}
    and not exists (select 1 from skips
      where user_id = ${slot('user')} and skips.episode_id = e.id and skips.lap = asked.lap)
  order by e.sort_number, e.id limit 1)`

/** How many shown episodes of the work precede this one; null if there is no episode. */
const position = (episode: RawBuilder<unknown>) => sql`(
  select (select count(*) from episodes as e
    where e.work_id = nexts.work_id and e.hidden = 0 and (e.sort_number, e.id) < (that.sort_number, that.id))
  from episodes as that where that.id = ${episode})`

/** The first episode whose first broadcast is still to come. Uses programs_work and programs_episode. */
const firstToCome = (slot: Slots) => sql`(
  select p.episode_id from programs as p
  where p.work_id = nexts.work_id and p.hidden = 0 and p.started_at > ${slot('now')} and p.episode_id is not null
    and not exists (select 1 from programs as earlier
      where earlier.episode_id = p.episode_id and earlier.hidden = 0 and earlier.started_at <= ${slot('now')})
  order by p.started_at limit 1)`

/** The first broadcast on the channels that the user chose, or on any channel if none is chosen (D39). */
const programId = (slot: Slots) => sql`(
  select p.id from programs as p join channels as c on c.id = p.channel_id
  where p.episode_id = nexts.episode_id and p.hidden = 0 and c.hidden = 0
    and ${isOnChannelsOf(slot('user'), sql.ref('p.channel_id'))}
  order by p.is_rebroadcast, p.started_at limit 1)`

/** Epoch milliseconds of the season's first day in Japan, or the year's if only that is known. */
const seasonBegin = sql`(
  (unixepoch(printf('%04d-%02d-01', season_year,
    case season when 'spring' then 4 when 'summer' then 7 when 'autumn' then 10 else 1 end)) - 9 * 3600) * 1000)`

function progressFrom(row: ProgressRow, now: number): Progress {
  const { work_id, lap, watched, known } = row
  const next = nextFrom(row, now)
  const remaining = next === undefined ? 0 : known - row.position
  const aired = airedEpisodes(row, now)
  const mayGrow = row.is_growing === 1 && row.no_episodes === 0
  const behind = aired === undefined ? remaining : Math.min(remaining, aired - row.position)
  return {
    workId: work_id,
    lap,
    watched,
    known,
    isOpen: mayGrow && row.is_counted === 0,
    next,
    behind: next?.hasAired ? Math.max(1, behind) : 0,
    // All episodes before the next one are recorded or skipped, so any further records are of later episodes.
    unseen: next?.hasAired ? Math.max(1, behind - Math.max(0, watched - row.position)) : 0,
    mayGrow,
  }
}

function nextFrom(row: ProgressRow & AiringRow, now: number): NextEpisode | undefined {
  const { episode_id, number, number_text, episode_title, episode_estimated } = row
  if (episode_id === null) return undefined
  const airing = airingOf(row)
  return {
    id: episode_id,
    number,
    numberText: number_text ?? '',
    title: episode_title ?? '',
    isEstimated: episode_estimated === 1,
    airing,
    hasAired: airing === undefined ? hasBegun(row, now) : airing.at <= now,
  }
}

/** For a work without broadcast dates, the season decides. */
const hasBegun = ({ season_begin }: ProgressRow, now: number): boolean => (season_begin ?? 0) <= now
