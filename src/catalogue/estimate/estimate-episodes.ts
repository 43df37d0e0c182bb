import type { Database } from 'bun:sqlite'
import type { YieldingWork } from '../../db/in-pieces'
import { episodesAtLeast, episodesIn, mostEpisodes } from '../default/episode-count'
import type { Media } from '../default/sources'
import { numbersOf } from '../numbers-of'
import { aSeason, isMoved } from './broadcast-rule'
import { dropEpisode, dropEstimates, isRecorded, isUntouched } from './drop-estimates'

export interface Unfit {
  readonly needless: readonly number[]
  /** Works whose lists are complete, as a person says. */
  readonly complete: readonly number[]
  readonly planned: readonly Planned[]
  readonly bare: readonly Planned[]
}

interface Planned {
  readonly work: number
  readonly episodes: number
  /** Nobody knows the number of episodes. */
  readonly isGrowing: boolean
}

/** Of all works, or of one. */
export function findUnfit(handle: Database, now: number, work?: number): Unfit {
  const which = work === undefined ? [] : [work]
  const only = work === undefined ? '' : 'works.id = ? and'
  const works = handle.query<Unlisted, number[]>(unlisted(only)).all(...which)
  const planned = works.flatMap((work) => {
    const episodes = plannedEpisodes(work, now)
    const fits = episodes === 0 || (episodes === work.n && episodes === work.last)
    const isGrowing = work.episodesEstimate === null
    return fits ? [] : [{ work: work.id, episodes, isGrowing, isBare: work.n === 0 }]
  })
  return {
    needless: numbersOf(handle, needless(only), ...which),
    complete: numbersOf(handle, complete(only), ...which),
    planned: planned.filter(({ isBare }) => !isBare),
    bare: planned.filter(({ isBare }) => isBare),
  }
}

/** Times in epoch milliseconds. */
export interface BroadcastFacts {
  readonly media: Media
  readonly episodesEstimate: number | null
  readonly broadcastBegin: number | null
  readonly broadcastEnd: number | null
  readonly broadcastInterval: string
  /** The release day, or the first day of its season or year, `YYYY-MM-DD`; blank if unknown. */
  readonly begunOn: string
  /** The release day; blank if unknown. */
  readonly releasedOn: string
}

/**
 * The source's count, else weeks of broadcasting if they tell one, else what there is at least (D99); without an end, up
 * to 4 weeks from now. At least 1 while on air.
 */
export function plannedEpisodes(work: BroadcastFacts, now: number): number {
  const { media, episodesEstimate, broadcastEnd: end } = work
  if (episodesEstimate !== null) return Math.min(episodesEstimate, mostEpisodes)
  const first = isOnTelevision(work, now) ? 1 : 0
  const begin = begunAt(work)
  if (begin === null) return first
  if (end === null)
    return Math.max(first, work.broadcastBegin === null ? 0 : untilNow(weekOf(begin, now) + 1))
  const isWeekly = work.broadcastInterval === 'P7D' || work.broadcastInterval === ''
  const weeks = Math.round((end - begin) / week) + 1
  if (!isWeekly || weeks < 1) return first
  return Math.max(first, episodesIn(weeks, media) ?? episodesAtLeast(weeks))
}

function begunAt({ broadcastBegin, ...work }: BroadcastFacts): number | null {
  if (broadcastBegin !== null && !isMoved(broadcastBegin, work.releasedOn)) return broadcastBegin
  const day = Date.parse(work.begunOn)
  return Number.isNaN(day) ? null : day
}

const isOnTelevision = ({ media, begunOn, broadcastBegin }: BroadcastFacts, now: number) =>
  media === 'tv' &&
  ((broadcastBegin !== null && broadcastBegin <= now) ||
    (begunOn !== '' && begunOn <= new Date(now).toISOString().slice(0, 10)))

/** Most recent series with an unknown end ended after one season. */
function untilNow(weeks: number): number {
  if (weeks > years) return episodesAtLeast(weeks)
  return Math.max(0, Math.min(weeks + weeksAhead, aSeason))
}

const weekOf = (begin: number, time: number) => Math.floor((time - begin) / week)

const week = 7 * 24 * 60 * 60 * 1000
const weeksAhead = 4
const years = 104

/** Returns how many episodes were inserted or deleted. */
export const estimateEpisodes = (
  handle: Database,
  { needless, complete, planned, bare }: Unfit,
): YieldingWork<number> =>
  function* (isOver) {
    let changes = 0
    for (const work of needless) {
      changes += dropEstimates(handle, work).length
      if (isOver()) yield
    }
    for (const work of complete) {
      changes += dropBare(handle, work)
      if (isOver()) yield
    }
    for (const work of planned) {
      changes += fitEpisodes(handle, work)
      if (isOver()) yield
    }
    for (let at = 0; at < bare.length; at += worksAtOnce) {
      changes += listAll(handle, bare.slice(at, at + worksAtOnce))
      if (isOver()) yield
    }
    return changes
  }

/** A multi-row insert halves the cost. */
const worksAtOnce = 50

/** SQL, of `episodes`: an estimate that nothing depends on. */
const isBare = `(estimated = 1 and not ${isRecorded} and ${isUntouched}
  and not exists (select 1 from skips where episode_id = episodes.id)
  and not exists (select 1 from meeting_episodes where episode_id = episodes.id))`

const needless = (only: string) => `
  select works.id from works join episodes on episodes.work_id = works.id
  where ${only} works.no_episodes = 1 and works.episodes_count > 0
  group by works.id having max(episodes.source_id = 2 and not ${isRecorded})`

// uses works_complete
const complete = (only: string) => `
  select distinct work_id from episodes
  where work_id in (select works.id from works where ${only} works.list_state = 'complete') and ${isBare}`

interface Unlisted extends BroadcastFacts {
  readonly id: number
  readonly n: number
  readonly last: number
}

const begunOn = `
  case when released_on <> '' then released_on when season_year is null then '' else season_year || case season
    when 'spring' then '-04-01' when 'summer' then '-07-01' when 'autumn' then '-10-01' else '-01-01' end end`

// Estimated episodes with programs or records may exist next to a real list; such a work counts as listed.
const unlisted = (only: string) => `
  select works.id, media, episodes_estimate as episodesEstimate, broadcast_begin as broadcastBegin,
    broadcast_end as broadcastEnd, broadcast_interval as broadcastInterval, ${begunOn} as begunOn,
    released_on as releasedOn,
    count(episodes.id) as n, ifnull(max(episodes.sort_number) / 10, 0) as last
  from works left join episodes on episodes.work_id = works.id
  where ${only} works.hidden = 0 and works.no_episodes = 0 and works.list_state <> 'complete'
    and (works.episodes_estimate > 0 or works.media = 'tv'
      or coalesce(works.broadcast_begin, works.broadcast_end) is not null)
  group by works.id having count(episodes.id) = ifnull(sum(episodes.estimated), 0)
  -- Works whose count grows with time come last: the others have the same episodes under the same ids whenever this runs.
  order by works.episodes_estimate is null, works.id`

/** Inserts missing numbers up to `episodes`; deletes unused ones above it or next to another source's. */
function fitEpisodes(handle: Database, { work, episodes: planned, isGrowing }: Planned): number {
  const rows = handle.query<Estimate, [number]>(estimatesOfWork).all(work)
  const places = new Set(rows.map(({ sortNumber }) => sortNumber))
  const numbers = new Set(rows.map(({ number }) => number))
  // By hand, numbers and places may have moved apart.
  const missing = Array.from({ length: planned }, (_, at) => at + 1).filter(
    (n) => !places.has(n * 10) && !numbers.has(String(n)),
  )
  if (missing.length > 0) handle.query(add).run(work, JSON.stringify(missing))
  const others = new Set(rows.flatMap(({ sortNumber, isBare }) => (isBare === 0 ? sortNumber : [])))
  // A list that grows has no gap before an episode that somebody recorded or added.
  const last = isGrowing ? Math.max(planned * 10, ...others) : planned * 10
  const surplus = rows.filter(
    ({ sortNumber, isBare }) => isBare === 1 && (sortNumber > last || others.has(sortNumber)),
  )
  for (const { id } of surplus) dropEpisode(handle, id)
  return missing.length + surplus.length
}

/** What nobody recorded, skipped, planned to watch or changed is not in a list that a person completed. */
function dropBare(handle: Database, work: number): number {
  const episodes = numbersOf(handle, `select id from episodes where work_id = ? and ${isBare}`, work)
  for (const id of episodes) dropEpisode(handle, id)
  return episodes.length
}

/** For works without episodes; a user may have added one in the meantime. */
function listAll(handle: Database, works: readonly Planned[]): number {
  return handle.query(addAll).run(JSON.stringify(works.map(({ work, episodes }) => [work, episodes]))).changes
}

const addAll = `
  with recursive numbers (work, n, last) as (
    select value ->> 0, 1, value ->> 1 from json_each(?)
    where not exists (select 1 from episodes where work_id = value ->> 0)
    union all select work, n + 1, last from numbers where n < last)
  insert into episodes (work_id, number, number_text, sort_number, title, estimated, source_id)
  select work, n, '第' || n || '話', n * 10, '', 1, 2 from numbers order by work, n`

interface Estimate {
  readonly id: number
  readonly number: string | null
  readonly sortNumber: number
  /** 1 if estimated here, and nobody recorded, skipped or changed it. */
  readonly isBare: number
}

// uses episodes_work_all
const estimatesOfWork = `
  select id, number, sort_number as sortNumber, source_id = 2 and ${isBare} as isBare from episodes where work_id = ?`

const add = `
  insert into episodes (work_id, number, number_text, sort_number, title, estimated, source_id)
  select ?, value, '第' || value || '話', value * 10, '', 1, 2 from json_each(?)`
