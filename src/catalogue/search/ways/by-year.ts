import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { Hits, scores } from './scores'

interface OfYear {
  /** What else the text says; may be empty. */
  readonly base: string
  readonly year: number
  readonly season: string | undefined
}

/**
 * For queries like フルーツバスケット 2019 and 2024年春: works of other years score lower. Returns whether the text says
 * nothing else.
 */
export async function findByYear(
  read: Read,
  text: string,
  hits: Hits,
  findRest: (base: string, found: Hits) => Promise<void>,
): Promise<boolean> {
  const said = yearIn(text)
  if (said === undefined) return false
  const found = new Hits()
  if (said.base !== '') await findRest(said.base, found)
  const { year, season = '' } = said
  const candidates = new Map(found.from(0).slice(0, mostCandidates))
  const rows = await worksOfYear(read, { ids: JSON.stringify([...candidates.keys()]), year, season })
  if (said.base === '')
    for (const { id } of await allOfYear(read, { year, season })) hits.add(id, scores.words)
  const isOfYear = new Set(rows.map(({ id }) => id))
  for (const [id, score] of candidates)
    hits.add(id, isOfYear.has(id) ? score + scores.season : Math.max(1, score - scores.season))
  return said.base === ''
}

/** Parses 2019, (2019), 2019年, 2019年版, 2019春 and spring 2019. */
export function yearIn(text: string): OfYear | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  const found = forms.map((form) => form.exec(plain)).find((match) => match !== null)
  const { year, season } = found?.groups ?? {}
  if (found === undefined || found === null || year === undefined) return undefined
  const base = `${plain.slice(0, found.index)} ${plain.slice(found.index + found[0].length)}`.trim()
  return { base, year: Number(year), season: season === undefined ? undefined : seasons.get(season) }
}

const seasons = new Map([
  ...['冬', 'winter'].map((word): [string, string] => [word, 'winter']),
  ...['春', 'spring'].map((word): [string, string] => [word, 'spring']),
  ...['夏', 'summer'].map((word): [string, string] => [word, 'summer']),
  ...['秋', 'autumn', 'fall'].map((word): [string, string] => [word, 'autumn']),
])

const names = [...seasons.keys()].join('|')
const year = '(?<![0-9])(?<year>19[2-9][0-9]|20[0-4][0-9])(?![0-9])年?版?'
const forms = [
  new RegExp(`[(\\s]*${year}\\s*(?<season>${names})(?![a-z])(?:アニメ)?\\)?`),
  new RegExp(`(?<![a-z])(?<season>${names})\\s*${year}`),
  new RegExp(`[(\\s]*${year}\\)?`),
]

const isIn = (year: unknown, season: unknown) =>
  sql`season_year = ${year} and (${season} = '' or season = ${season})`

const worksOfYear = preparedSql<{ id: number }, { ids: string; year: number; season: string }>(
  (slot) => sql`
    select works.id from json_each(${slot('ids')}) as hit cross join works on works.id = hit.value
    where ${isIn(slot('year'), slot('season'))}`,
)

const allOfYear = preparedSql<{ id: number }, { year: number; season: string }>(
  (slot) => sql`
    select id from works where ${isIn(slot('year'), slot('season'))} and hidden = 0 order by popularity desc limit 1000`,
)

const mostCandidates = 200
