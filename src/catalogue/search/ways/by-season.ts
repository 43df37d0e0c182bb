import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { findByWords } from './by-words'
import { findNamed } from './nicknames'
import { Hits, scores } from './scores'
import { type OfSeason, type SeasonMark, seasonIn } from './season'
import { siblingsOf } from './siblings'

/** For queries like 進撃の巨人 2期. Works of other seasons score lower. */
export async function findBySeason(read: Read, text: string, hits: Hits): Promise<void> {
  const asked = seasonIn(text)
  if (asked === undefined) return
  const exact = hits
    .from(scores.exact - scores.name - scores.sound)
    .filter(([, score]) => score <= scores.exact)
  const found = new Hits()
  await findNamed(read, 'works', asked.base, found)
  if (found.best < scores.words) await findByWords(read, 'works', asked.base, found)
  for (const [row, score] of await siblingsOf(read, found)) found.add(row, score)
  const candidates = new Map(found.from(0).slice(0, mostCandidates))
  for (const work of await worksOf(read, candidates.keys(), asked)) {
    const score = candidates.get(work.id) ?? 0
    hits.add(work.id, score + (isSeason(work, asked) ? seasonScore(work) : -scores.season))
  }
  for (const [row, score] of exact) hits.add(row, score + scores.season)
}

/** The second part of a season comes after the first. */
const seasonScore = ({ said }: Work) =>
  seasonIn(said?.base ?? '') === undefined ? scores.season : scores.season - 1

interface Titled {
  readonly id: number
  readonly title: string
  readonly media: string
}

interface Placed {
  readonly id: number
  readonly tmdb: string | null
  /** Its position among the series' broadcast works. */
  readonly place: number
  readonly places: number
}

interface Work extends Titled {
  readonly said: OfSeason | undefined
  readonly placed: Placed | undefined
}

/** Only works whose titles do not say the season are looked up in their series, which is the expensive part. */
async function worksOf(read: Read, ids: Iterable<number>, { season }: OfSeason): Promise<readonly Work[]> {
  const works = (await titles(read, { ids: JSON.stringify([...ids]) })).map((work) => ({
    ...work,
    said: seasonIn(work.title),
  }))
  const silent = isMedium(season) ? [] : works.filter(({ said }) => !tells(said, season)).map(({ id }) => id)
  const places = silent.length === 0 ? [] : await placesOf(read, { ids: JSON.stringify(silent) })
  const byId = new Map(places.map((place) => [place.id, place]))
  return works.map((work) => ({ ...work, placed: byId.get(work.id) }))
}

const isMedium = (season: SeasonMark) => season === 'movie' || season === 'ova'

const tells = (said: OfSeason | undefined, season: SeasonMark) =>
  typeof said?.season === 'number' || said?.season === season

function isSeason({ media, said, placed }: Work, { season, isPart }: OfSeason): boolean {
  if (isMedium(season)) return media === season
  if (said !== undefined && tells(said, season)) return said.season === season && (isPart || !said.isPart)
  if (placed === undefined) return false
  const [, number] = /\/season\/([1-9]\d*)/.exec(placed.tmdb ?? '') ?? []
  if (number !== undefined) return Number(number) === season
  if (media !== 'tv') return false
  const { place, places } = placed
  return season === 'final' ? place === places && places > 1 : Math.max(place, 1) === season
}

const titles = preparedSql<Titled, { ids: string }>(
  (slot) => sql`
    select works.id, title, media from json_each(${slot('ids')}) as wanted
    cross join works on works.id = wanted.value`,
)

// uses external_ids_local and series_works_work
const placesOf = preparedSql<Placed, { ids: string }>(
  (slot) => sql`
    select works.id,
      (select external_id from external_ids indexed by external_ids_local
       where local_id = works.id and kind = 'work' and ns = 'tmdb' limit 1) as tmdb,
      count(other.id) filter (where (other.season_rank, other.id) <= (works.season_rank, works.id)) as place,
      count(other.id) as places
    from json_each(${slot('ids')}) as wanted cross join works on works.id = wanted.value
    left join series_works as own on own.work_id = works.id
    left join series_works as all_works on all_works.series_id = own.series_id
    left join works as other on other.id = all_works.work_id and other.media = 'tv' and other.hidden = 0
    group by works.id`,
)

const mostCandidates = 60
