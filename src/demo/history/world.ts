import type { Database } from 'bun:sqlite'
import type { Random } from '../random'
import { airingTimes, type Dates } from './airing'

/** A work as the community sees it, at the end of the time the community lives in. */
export interface Work {
  readonly id: number
  /** Its shown episodes in their order. */
  readonly episodes: readonly number[]
  /** When those that have been broadcast were, in epoch milliseconds; never decreasing. */
  readonly airs: readonly number[]
  /** When it began or will begin, as far as known. */
  readonly begin: number
}

/** What there is to write about. */
export interface World {
  /** The end of the community's time, in epoch milliseconds: everything happens before it. */
  readonly until: number
  /** Every shown work, the most popular first. */
  readonly works: readonly Work[]
  /** Shown rows by id, the most popular first. */
  readonly characters: readonly number[]
  readonly people: readonly number[]
  readonly organizations: readonly number[]
  readonly channels: readonly number[]
}

/** Reads the catalogue, and decides what in it is popular. */
export function readWorld(handle: Database, until: number, random: Random): World {
  const episodes = Map.groupBy(handle.query<EpisodeRow, []>(episodeRows).all(), ({ work_id }) => work_id)
  const works = handle.query<WorkRow, []>(workRows).all()
  const scored = works.map((work) => {
    const own = episodes.get(work.id) ?? []
    return { work: workOf(work, own, until), score: appeal(work, own.length, random) }
  })
  const shuffled = (table: string) =>
    shuffle(
      handle.query<{ id: number }, []>(`select id from ${table} where hidden = 0 order by id`).all(),
      random,
    )
  return {
    until,
    works: scored.toSorted((one, other) => other.score - one.score).map(({ work }) => work),
    characters: shuffled('characters'),
    people: shuffled('people'),
    organizations: shuffled('organizations'),
    channels: shuffled('channels'),
  }
}

interface WorkRow extends Dates {
  readonly id: number
  readonly media: string
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

function workOf(row: WorkRow, own: readonly EpisodeRow[], until: number): Work {
  const airs = airingTimes(row, own.length === 0 ? [null] : own.map(({ started_at }) => started_at))
  return {
    id: row.id,
    episodes: own.map(({ id }) => id),
    airs: own.length === 0 ? [] : airs.filter((at) => at < until),
    begin: airs[0] ?? 0,
  }
}

/** Chance above all, but more people see a recent series of a season or two than an old or an endless one. */
function appeal({ media, season_year }: WorkRow, episodes: number, random: Random): number {
  const age = Math.max(0, 2010 - (season_year ?? 1980))
  const usual = episodes >= 8 && episodes <= 30 ? 1 : 0.4
  return Math.exp(random.normal()) * (appealOf.get(media) ?? 0.1) * usual * Math.exp(-age / 15)
}

const appealOf = new Map([
  ['tv', 1],
  ['movie', 0.8],
  ['web', 0.6],
  ['ova', 0.2],
])

const shuffle = (rows: readonly { id: number }[], random: Random): number[] =>
  rows
    .map(({ id }) => ({ id, place: random.fraction() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id)
