import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { ListRow, WorkRef } from '../row'
import { type KnownWork, knownWork, knownWorks } from './known-work'
import type { Doubt, Match } from './match'
import { matched, testCount, unsure } from './results'
import { lengthOfAll, spread } from './spread'
import { titleKey } from './title-index'

/** Matches by the first of the row's work ids that a work here has; undefined if there is none. */
export async function matchById(
  read: Read,
  row: ListRow,
  doubt: Doubt,
): Promise<readonly Match[] | undefined> {
  for (const ref of row.refs) {
    const works = isOfSeries(ref) ? [] : await worksOf(read, ref, row)
    const [work, another] = works
    if (work === undefined) continue
    const doubted = await doubt(works, ref.site)
    if (doubted !== undefined) return [doubted]
    return another === undefined ? [matched({ row, work }, ref.site)] : matchSeveral(row, works, ref.site)
  }
  return undefined
}

/** Whether the id is of a whole series. TMDB numbers films and series separately. */
export const isOfSeries = ({ site, id }: WorkRef): boolean =>
  site === 'tvdb' || (site === 'tmdb' && id.startsWith('tv/'))

async function worksOf(read: Read, ref: WorkRef, row: ListRow): Promise<readonly KnownWork[]> {
  if (ref.site === 'work') {
    const found = await knownWork(read, Number(ref.id))
    return found.filter(({ title }) => titleKey(title) === titleKey(row.title))
  }
  return await worksWithId(read, ref)
}

/** The shown works that have the id at its site, by first broadcast. */
export async function worksWithId(read: Read, { site, id }: WorkRef): Promise<readonly KnownWork[]> {
  const found = await withId(read, { ns: site, id })
  return await knownWorks(
    read,
    found.map((one) => one.id),
  )
}

/** If an id stands for several works, the row is divided among them, provided they have as many episodes as it says. */
function matchSeveral(row: ListRow, works: readonly KnownWork[], site: WorkRef['site']): readonly Match[] {
  if (lengthOfAll(works) === row.total) return spread(row, works).map((share) => matched(share, site))
  const named = works.filter((work) => isNamed(work, row))
  const [work, another] = named
  return work !== undefined && another === undefined && fits(work, row)
    ? [matched({ row, work }, site)]
    : [unsure(row, 'several_works', works, site)]
}

const isNamed = ({ title }: KnownWork, row: ListRow) => titleKey(title) === titleKey(row.title)

const fits = (work: KnownWork, { total }: ListRow) =>
  total !== undefined && work.count !== null && !testCount(work, 0, total).differs

interface WorkId {
  readonly id: number
}

// uses the primary key of external_ids
const withId = preparedSql<WorkId, { ns: string; id: string }>(
  (slot) => sql`
    select local_id as id from external_ids
    where kind = 'work' and ns = ${slot('ns')} and external_id = ${slot('id')}`,
)
