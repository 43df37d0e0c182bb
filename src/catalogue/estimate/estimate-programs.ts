import type { Database } from 'bun:sqlite'
import type { YieldingWork } from '../../db/in-pieces'
import { numbersOf } from '../numbers-of'
import { aSeason, type BroadcastRule, isCounted, isMoved, occurrence } from './broadcast-rule'
import { firstBroadcast, isListed } from './listed-programs'

/** Updates the estimated programs of the weeks around `now`. Returns how many changed. */
export const estimatePrograms = (handle: Database, showings: Showings, now: number): YieldingWork<number> =>
  function* (isOver) {
    // Such as those of episodes that are not listed any more.
    let changes = handle.query(dropUnnamed).run().changes
    for (const [work, shown] of showings) {
      const [first] = shown
      if (first === undefined) continue
      const planned = plannedPrograms(shown, first, numbersOf(handle, episodesOfWork, work), now)
      for (const program of planned) changes += fitProgram(handle, work, program)
      changes += dropUnplanned(handle, work, planned, now)
      if (isOver()) yield
    }
    return changes
  }

interface Showing {
  readonly channel: number
  /** Start of the first episode in epoch milliseconds. */
  readonly begin: number
  readonly interval: string
}

/** Ids; `startedAt` in epoch milliseconds. */
interface PlannedProgram {
  readonly channel: number
  readonly episode: number
  readonly startedAt: number
}

/**
 * Plans from 120 days ago to 60 days ahead, a broadcast for each episode (D113): up to the end or, if neither that nor the
 * number of episodes is known, for a season (D99). A stream that begins long before or after the broadcast is an archive.
 */
export function plannedPrograms(
  showings: readonly Showing[],
  work: BroadcastRule,
  episodes: readonly number[],
  now: number,
): PlannedProgram[] {
  const { is_counted, broadcast_begin: broadcastBegin } = work
  // In a later slot, the first broadcast is not the first episode.
  if (broadcastBegin !== null && isMoved(broadcastBegin, work.released_on)) return []
  const told = is_counted === 1 ? episodes : episodes.slice(0, aSeason)
  return showings
    .filter(({ begin }) => broadcastBegin === null || isNear(begin, broadcastBegin))
    .flatMap((showing) => ofEpisodes(showing, told, { now, until: endOf(showing, work) }))
}

interface Span {
  readonly now: number
  readonly until: number
}

const ofEpisodes = (
  { channel, begin, interval }: Showing,
  episodes: readonly number[],
  { now, until }: Span,
) =>
  episodes.flatMap((episode, k): PlannedProgram[] => {
    const startedAt = occurrence(begin, interval, k)
    if (startedAt === undefined || startedAt > until) return []
    return startedAt >= now - past && startedAt <= now + future ? [{ channel, episode, startedAt }] : []
  })

/** A stream that begins later also ends later; the last broadcast may be at another hour. */
const endOf = ({ begin }: Showing, { broadcast_begin, broadcast_end }: BroadcastRule): number =>
  broadcast_end === null
    ? Number.POSITIVE_INFINITY
    : broadcast_end + Math.max(0, begin - (broadcast_begin ?? begin)) + day

const windowAround = (now: number) => ({ from: now - past, to: now + future })

const isNear = (begin: number, broadcastBegin: number) =>
  begin >= broadcastBegin - 14 * day && begin <= broadcastBegin + 30 * day

const day = 24 * 60 * 60 * 1000
const past = 120 * day
const future = 60 * day

export type Showings = ReadonlyMap<number, readonly WorkShowing[]>

interface WorkShowing extends Showing, BroadcastRule {
  readonly work: number
}

/** Of all works, or of one. */
export function findShowings(handle: Database, now: number, work?: number): Showings {
  const { from, to } = windowAround(now)
  const times = [from - longestRun, to]
  const rows =
    work === undefined
      ? handle.query<WorkShowing, number[]>(showingsNear('')).all(...times)
      : handle.query<WorkShowing, number[]>(showingsNear('work = ?3 and')).all(...times, work)
  return Map.groupBy(rows, ({ work }) => work)
}

/** Inserts a program, or moves the estimated one of the same channel and episode. Returns how many changed. */
function fitProgram(handle: Database, work: number, { channel, episode, startedAt }: PlannedProgram): number {
  const [known] = handle
    .query<{ id: number; startedAt: number }, [number, number]>(programOfEpisode)
    .all(episode, channel)
  if (known === undefined) handle.query(add).run(channel, work, episode, startedAt)
  else if (known.startedAt === startedAt) return 0
  else
    handle
      .query('update programs set started_at = ?, version = version + 1 where id = ?')
      .run(startedAt, known.id)
  return 1
}

/** Deletes coming programs that are not planned any more, such as those beyond an end that has become known. */
function dropUnplanned(
  handle: Database,
  work: number,
  planned: readonly PlannedProgram[],
  now: number,
): number {
  const slots = new Set(planned.map(({ channel, episode }) => `${channel} ${episode}`))
  const rows = handle
    .query<{ id: number; channel: number; episode: number }, [number, number]>(estimatedAhead)
    .all(work, now)
  const surplus = rows.filter(({ channel, episode }) => !slots.has(`${channel} ${episode}`))
  for (const { id } of surplus) handle.query('delete from programs where id = ?').run(id)
  return surplus.length
}

// A site's channel has the site's name as its id in the namespace `site`; television is `broadcast`.
const showingsNear = (only: string) => `
  with sites as (
    select external_id as site, min(local_id) as channel from external_ids
    join channels on channels.id = local_id and channels.hidden = 0
    where kind = 'channel' and ns = 'site' group by external_id),
  shown as (
    select id as work, '${firstBroadcast}' as site, broadcast_begin as begin, broadcast_interval as interval
    from works where broadcast_begin between ?1 and ?2
    union all
    select work_id, site, begin_at, interval from streams where begin_at between ?1 and ?2)
  select work, channel, begin, interval, broadcast_begin, broadcast_end, broadcast_interval, released_on,
    ${isCounted} as is_counted
  from shown join sites using (site) join works on works.id = work
  where ${only} works.hidden = 0 and not ${isListed('work', 'channel')}
  order by work, channel, begin`

// uses episodes_work
const episodesOfWork = 'select id from episodes where work_id = ? and hidden = 0 order by sort_number, id'

// uses programs_episode
const programOfEpisode = `
  select id, started_at as startedAt from programs where episode_id = ? and channel_id = ? and estimated = 1 limit 1`

const add =
  'insert into programs (channel_id, work_id, episode_id, started_at, estimated, source_id) values (?, ?, ?, ?, 1, 2)'

/** Sixty weekly episodes, with a margin. */
const longestRun = 62 * 7 * 24 * 60 * 60 * 1000

// uses programs_episode
const dropUnnamed = 'delete from programs where episode_id is null and estimated = 1 and source_id = 2'

// uses programs_work_all
const estimatedAhead = `
  select id, channel_id as channel, episode_id as episode from programs
  where work_id = ? and started_at >= ? and estimated = 1 and source_id = 2`
