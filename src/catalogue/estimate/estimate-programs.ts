import type { Database } from 'bun:sqlite'
import type { YieldingWork } from '../../db/in-pieces'
import { numbersOf } from '../numbers-of'
import { isListed } from './listed-programs'
import {
  longSeries,
  type PlannedProgram,
  plannedPrograms,
  type Showing,
  windowAround,
} from './planned-programs'

/** Updates the estimated programs of the weeks around `now`. Returns how many changed. */
export const estimatePrograms = (handle: Database, showings: Showings, now: number): YieldingWork<number> =>
  function* (isOver) {
    let changes = handle.query(dropEnded).run(now).changes
    for (const [work, shown] of showings) {
      const episodes = numbersOf(handle, episodesOfWork, work)
      const planned = plannedPrograms(shown, shown[0]?.broadcastBegin ?? null, episodes, now)
      changes += dropMoved(handle, work, planned, now)
      for (const program of planned) changes += fitProgram(handle, work, program)
      if (isOver()) yield
    }
    return changes
  }

export type Showings = ReadonlyMap<number, readonly WorkShowing[]>

interface WorkShowing extends Showing {
  readonly work: number
  readonly broadcastBegin: number | null
}

export function findShowings(handle: Database, now: number): Showings {
  const { from, to } = windowAround(now)
  const rows = handle.query<WorkShowing, [number, number]>(showingsNear).all(from - longestRun, to)
  return Map.groupBy(rows, ({ work }) => work)
}

/** Inserts a program, or moves the estimated one of the same channel and episode. Returns how many changed. */
function fitProgram(handle: Database, work: number, { channel, episode, startedAt }: PlannedProgram): number {
  if (episode === null) return fitUnnamed(handle, work, channel, startedAt)
  const [known] = handle
    .query<{ id: number; startedAt: number }, [number, number]>(programOfEpisode)
    .all(episode, channel)
  // There may be one at that time whose episode was unknown until now.
  handle.query(dropUnnamed).run(work, channel, startedAt)
  if (known === undefined) handle.query(add).run(channel, work, episode, startedAt)
  else if (known.startedAt === startedAt) return 0
  else
    handle
      .query('update programs set started_at = ?, version = version + 1 where id = ?')
      .run(startedAt, known.id)
  return 1
}

/** Deletes programs without an episode whose time is no longer planned. Returns how many. */
function dropMoved(handle: Database, work: number, planned: readonly PlannedProgram[], now: number): number {
  const times = new Set(planned.map(({ channel, startedAt }) => `${channel} ${startedAt}`))
  const rows = handle
    .query<{ id: number; channel: number; startedAt: number }, [number, number]>(unnamedAhead)
    .all(work, now)
  const moved = rows.filter(({ channel, startedAt }) => !times.has(`${channel} ${startedAt}`))
  for (const { id } of moved) handle.query('delete from programs where id = ?').run(id)
  return moved.length
}

/** Inserts a program without an episode, unless the work is already on at that time. */
const fitUnnamed = (handle: Database, work: number, channel: number, startedAt: number): number =>
  handle.query(addUnnamed).run(channel, work, startedAt).changes

/** Neither the end nor the number of episodes is known. */
const isOpen = "broadcast_end is null and broadcast_interval <> '' and episodes_estimate is null"

// A site's channel has the site's name as its id in the namespace `site`; television is `broadcast`.
const showingsNear = `
  with sites as (
    select external_id as site, min(local_id) as channel from external_ids
    join channels on channels.id = local_id and channels.hidden = 0
    where kind = 'channel' and ns = 'site' group by external_id),
  shown as (
    select id as work, 'broadcast' as site, broadcast_begin as begin, broadcast_interval as interval,
      ${isOpen} as isOpen
    from works where broadcast_begin between ?1 and ?2
      or broadcast_begin < ?1 and ${isOpen} and episodes_count >= ${longSeries}
    union all
    select work_id, site, begin_at, interval, 0 from streams where begin_at between ?1 and ?2)
  select work, channel, begin, interval, isOpen, broadcast_begin as broadcastBegin
  from shown join sites using (site) join works on works.id = work
  where works.hidden = 0 and not ${isListed('work', 'channel')}
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

// uses programs_slot
const addUnnamed = `
  insert into programs (channel_id, work_id, started_at, estimated, source_id)
  select ?1, ?2, ?3, 1, 2 where not exists (
    select 1 from programs where channel_id = ?1 and started_at = ?3 and work_id = ?2)`

// uses programs_slot
const dropUnnamed = `
  delete from programs where work_id = ? and channel_id = ? and started_at = ? and episode_id is null and estimated = 1`

/** For works whose end or number of episodes has become known. Uses programs_started. */
const dropEnded = `
  delete from programs where started_at >= ? and episode_id is null and estimated = 1
    and work_id not in (select id from works where ${isOpen})`

// uses programs_work_all
const unnamedAhead = `
  select id, channel_id as channel, started_at as startedAt from programs
  where work_id = ? and started_at >= ? and episode_id is null and estimated = 1`
