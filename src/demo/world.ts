import type { Database } from 'bun:sqlite'
import { occurrence } from '../catalogue/estimate/broadcast-rule'
import type { SeededRandom } from './random'

export interface WorldWork {
  readonly id: number
  readonly episodes: readonly number[]
  /** When each episode was first shown, in epoch milliseconds, ascending. For a work without episodes, its release. */
  readonly airTimes: readonly [number, ...number[]]
}

export interface World {
  /** Every visible work, the most popular first. */
  readonly works: readonly WorldWork[]
  readonly series: readonly WorldWork[]
  /** Ids of visible rows, the most popular first. */
  readonly characters: readonly number[]
  readonly people: readonly number[]
  readonly organizations: readonly number[]
  readonly channels: readonly number[]
}

/** Popularity is random, weighted by the kind of work. */
export function readWorld(handle: Database, random: SeededRandom): World {
  const episodes = Map.groupBy(handle.query<EpisodeRow, []>(episodeRows).all(), ({ work_id }) => work_id)
  const rows = handle.query<WorkRow, []>(workRows).all()
  const works = shuffle(rows, ({ media }) => popularityByMedia.get(media) ?? 0.1, random).map((row) =>
    workOf(row, episodes.get(row.id) ?? []),
  )
  const popular = (table: string) => {
    const ids = handle.query<{ id: number }, []>(`select id from ${table} where hidden = 0 order by id`).all()
    return shuffle(ids, () => 1, random).map(({ id }) => id)
  }
  return {
    works,
    series: works
      .filter((work) => work.episodes.length > 0)
      .toSorted((one, other) => one.airTimes[0] - other.airTimes[0]),
    characters: popular('characters'),
    people: popular('people'),
    organizations: popular('organizations'),
    channels: popular('channels'),
  }
}

interface WorkRow {
  readonly id: number
  readonly media: string
  readonly season_year: number | null
  readonly season: string | null
  readonly released_on: string
  readonly broadcast_begin: number | null
  readonly broadcast_interval: string
}

interface EpisodeRow {
  readonly id: number
  readonly work_id: number
  readonly started_at: number | null
}

const workRows = `
  select id, media, season_year, season, released_on, broadcast_begin, broadcast_interval
  from works where hidden = 0 order by id`

const episodeRows = `
  select id, work_id, (select min(started_at) from programs
    where programs.episode_id = episodes.id and is_rebroadcast = 0 and hidden = 0) as started_at
  from episodes where hidden = 0 order by work_id, sort_number, id`

/** Takes times from programs, or else from the work's start and interval. */
function workOf(row: WorkRow, episodes: readonly EpisodeRow[]): WorldWork {
  const begin = firstAirTime(row)
  const [first, ...others] = episodes
  const airs: [number, ...number[]] = [first?.started_at ?? begin]
  for (const [k, { started_at }] of others.entries()) {
    const regular = occurrence(begin, row.broadcast_interval || 'P7D', k + 1)
    airs.push(Math.max(airs.at(-1) ?? begin, started_at ?? regular ?? begin + (k + 1) * week))
  }
  return { id: row.id, episodes: episodes.map(({ id }) => id), airTimes: airs }
}

/** Falls back to the season; works of an unknown year count as old. */
function firstAirTime({ broadcast_begin, released_on, season_year, season }: WorkRow): number {
  if (broadcast_begin !== null) return broadcast_begin
  const released = Date.parse(`${released_on}T15:00:00Z`)
  if (!Number.isNaN(released)) return released
  return Date.UTC(season_year ?? 1980, 3 * Math.max(0, seasons.indexOf(season ?? '')), 5, 15)
}

function shuffle<T>(rows: readonly T[], weight: (row: T) => number, random: SeededRandom): T[] {
  return rows
    .map((row) => ({ row, score: random.exponential(weight(row)) }))
    .toSorted((one, other) => other.score - one.score)
    .map(({ row }) => row)
}

const popularityByMedia = new Map([
  ['tv', 1],
  ['movie', 0.8],
  ['web', 0.6],
  ['ova', 0.2],
])
const seasons = ['winter', 'spring', 'summer', 'autumn']
const week = 7 * 24 * 60 * 60 * 1000
