import type { Database } from 'bun:sqlite'
import type { YieldingWork } from '../../db/in-pieces'
import { dropEpisode, dropEstimates } from './drop-estimates'
import { type Airing, plannedEpisodes } from './planned-episodes'

/** Works whose estimated episodes are not what their dates say. */
export interface Unfit {
  /** Those that turned out to have no episodes. */
  readonly needless: readonly number[]
  readonly planned: readonly { readonly work: number; readonly episodes: number }[]
}

/** Which those are; changes nothing. */
export function findUnfit(handle: Database, now: number): Unfit {
  const works = handle.query<Unlisted, []>(unlisted).all()
  return {
    needless: handle
      .query<never, []>(needless)
      .values()
      .map(([work]) => Number(work)),
    planned: works.flatMap((work) => {
      const episodes = plannedEpisodes(work, now)
      const fits = episodes === 0 || (episodes === work.n && episodes === work.last)
      return fits ? [] : [{ work: work.id, episodes }]
    }),
  }
}

/** Brings the estimated episodes of works in line with their dates. Returns how many came or went. */
export const estimateEpisodes = (handle: Database, { needless, planned }: Unfit): YieldingWork<number> =>
  function* (isOver) {
    let changes = 0
    for (const work of needless) {
      changes += dropEstimates(handle, work).length
      if (isOver()) yield
    }
    for (const { work, episodes } of planned) {
      changes += fitEpisodes(handle, work, episodes)
      if (isOver()) yield
    }
    return changes
  }

// A work that turned out to have no episodes.
const needless = `
  select works.id from works join episodes on episodes.work_id = works.id
  where works.no_episodes = 1 and works.episodes_count > 0
  group by works.id having max(episodes.source_id = 2 and episodes.records_count = 0)`

/** A work without listed episodes: how many estimated ones it has and the number of the last. */
interface Unlisted extends Airing {
  readonly id: number
  readonly n: number
  readonly last: number
}

// Programs and records keep an estimated episode alive after the real list came; such a work is listed.
const unlisted = `
  select works.id, episodes_estimate as episodesEstimate, broadcast_begin as broadcastBegin,
    broadcast_end as broadcastEnd, broadcast_interval as broadcastInterval,
    count(episodes.id) as n, ifnull(max(episodes.sort_number) / 10, 0) as last
  from works left join episodes on episodes.work_id = works.id
  where works.hidden = 0 and works.no_episodes = 0
    and (works.episodes_estimate > 0 or works.broadcast_begin is not null)
  group by works.id having count(episodes.id) = ifnull(sum(episodes.estimated), 0)`

/** Adds the numbers that are missing up to `planned`; takes away those beyond it, unless they have records. */
function fitEpisodes(handle: Database, work: number, planned: number): number {
  const rows = handle.query<Estimate, [number]>(estimatesOfWork).all(work)
  const known = new Set(rows.map(({ sortNumber }) => sortNumber))
  const missing = Array.from({ length: planned }, (_, at) => at + 1).filter((n) => !known.has(n * 10))
  if (missing.length > 0) handle.query(add).run(work, JSON.stringify(missing))
  const surplus = rows.filter(({ sortNumber, isBare }) => sortNumber > planned * 10 && isBare === 1)
  for (const { id } of surplus) dropEpisode(handle, id)
  return missing.length + surplus.length
}

interface Estimate {
  readonly id: number
  readonly sortNumber: number
  /** 1: made here, and nobody has recorded it. */
  readonly isBare: number
}

// uses episodes_work_all
const estimatesOfWork = `
  select id, sort_number as sortNumber, records_count = 0 and source_id = 2 as isBare from episodes where work_id = ?`

const add = `
  insert into episodes (work_id, number, number_text, sort_number, title, estimated, source_id)
  select ?, value, '第' || value || '話', value * 10, '', 1, 2 from json_each(?)`
