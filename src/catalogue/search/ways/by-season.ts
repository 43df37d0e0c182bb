import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { findByWords } from './by-words'
import { findNamed } from './nicknamed'
import { Hits, scores } from './scores'
import { type OfSeason, seasonIn } from './season'
import { siblingsOf } from './siblings'

/** For 進撃の巨人 2期; other seasons score as without the season. */
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
  const ids = JSON.stringify([...candidates.keys()])
  for (const work of await seasons(read, { ids })) {
    const score = candidates.get(work.id) ?? 0
    hits.add(work.id, score + (isSeason(work, asked) ? seasonScore(work) : -scores.season))
  }
  for (const [row, score] of exact) hits.add(row, score + scores.season)
}

/** A second part of a season comes after the first. */
const seasonScore = ({ title }: Work) =>
  seasonIn(seasonIn(title)?.base ?? '') === undefined ? scores.season : scores.season - 1

interface Work {
  readonly id: number
  readonly title: string
  readonly media: string
  readonly tmdb: string | null
  /** Its position among the series' broadcast works. */
  readonly place: number
  readonly places: number
}

function isSeason({ title, media, tmdb, place, places }: Work, { season, isPart }: OfSeason): boolean {
  if (season === 'movie' || season === 'ova') return media === season
  const said = seasonIn(title)
  if (typeof said?.season === 'number' || said?.season === season)
    return said.season === season && (isPart || !said.isPart)
  const [, number] = /\/season\/([1-9]\d*)/.exec(tmdb ?? '') ?? []
  if (number !== undefined) return Number(number) === season
  if (media !== 'tv') return false
  return season === 'final' ? place === places && places > 1 : Math.max(place, 1) === season
}

// uses external_ids_local and series_works_work
const seasons = preparedSql<Work, { ids: string }>(
  (slot) => sql`
    select works.id, title, media,
      (select external_id from external_ids indexed by external_ids_local
       where local_id = works.id and kind = 'work' and ns = 'tmdb' limit 1) as tmdb,
      (select count(*) from series_works as own
       join series_works as all_works on all_works.series_id = own.series_id
       join works as other on other.id = all_works.work_id and other.media = 'tv' and other.hidden = 0
       where own.work_id = works.id and (other.season_rank, other.id) <= (works.season_rank, works.id)) as place,
      (select count(*) from series_works as own
       join series_works as all_works on all_works.series_id = own.series_id
       join works as other on other.id = all_works.work_id and other.media = 'tv' and other.hidden = 0
       where own.work_id = works.id) as places
    from json_each(${slot('ids')}) as wanted cross join works on works.id = wanted.value`,
)

const mostCandidates = 60
