import { sql } from 'kysely'
import { writtenKey } from '../../catalogue/search/keys/written-key'
import { seasonIn } from '../../catalogue/search/ways/season'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { fold } from '../../lib/fold'
import { type NamedSeason, NameTable } from './name-table'

/** Shown works by the keys of their names (`titleKey`). */
export interface TitleIndex {
  /** Works of the same season. */
  worksCalled(title: string): readonly NamedSeason[]
  /** Works of any season. */
  worksOfSeries(name: string): readonly NamedSeason[]
}

/** Reads all names of the catalogue: 50,000 take 0.3 s, which is less than 2,000 queries would. */
export async function indexTitles(read: Read): Promise<TitleIndex> {
  const table = new NameTable()
  for (let after = 0; ; ) {
    const rows = await names(read, { after })
    for (const row of rows) addNames(table, row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    // Gives other requests their turn.
    await new Promise(setImmediate)
  }
  table.sort()
  return {
    worksCalled: (title) => {
      const { base, season } = partsOf(titleKey(title))
      return table.find(base).filter((named) => named.season === season)
    },
    worksOfSeries: (name) => table.find(partsOf(titleKey(name)).base),
  }
}

interface NamesRow {
  readonly id: number
  readonly title: string
  readonly translated: string
  /** Joined by `separator`. */
  readonly others: string
}

/** The best of several names with one key wins. */
function addNames(table: NameTable, { id, title, translated, others }: NamesRow): void {
  const seen = new Set<string>()
  for (const [rank, names] of [title, translated, others].entries())
    for (const name of names.split(separator)) {
      const key = name === '' ? '' : titleKey(name)
      if (key === '' || seen.has(key)) continue
      seen.add(key)
      const { base, season } = partsOf(key)
      table.add(base, { id, season, rank })
    }
}

/**
 * Equal for titles of the same work, however they are written and whatever word they use for the season. Works that
 * differ only in punctuation (けいおん！, けいおん!!) share a key, and so do remakes: the year has to tell them apart. With years
 * at most one apart, 90.8 % of 7,539 titles of bangumi-data find a work, and 99.2 % of those the right one.
 */
export function titleKey(title: string): string {
  const plain = withoutLabels(title)
  const said = seasonIn(plain)
  const numbered = typeof said?.season === 'number' ? said : undefined
  const letters = writtenKey(numbered?.base ?? plain)
  return `${letters === '' ? fold(plain) : letters}#${numbered?.season ?? 1}${numbered?.isPart ? 'p' : ''}`
}

/** Removes words that only name the medium or the year of a remake. */
const withoutLabels = (title: string): string =>
  title
    .normalize('NFKC')
    .replace(/^(?:TVアニメ|アニメ|OVA|OAD|劇場版|映画)\s*/i, '')
    .replace(/\((?:映画|劇場版|OVA|TV|\d{4}年?版)\)/gi, ' ')
    .replaceAll('×', 'x')

function partsOf(key: string): { base: string; season: string } {
  const at = key.lastIndexOf('#')
  return { base: key.slice(0, at), season: key.slice(at) }
}

/** Rows per slice, which takes less than 5 ms. */
const sliceSize = 100
const separator = '\0'

const names = preparedSql<NamesRow, { after: number }>(
  (slot) => sql`
    select id, title, concat_ws(char(0), title_en, title_ro) as translated, concat_ws(char(0),
      (select group_concat(title, char(0)) from work_aliases where work_id = works.id),
      (select group_concat(title, char(0)) from search_names where work_id = works.id and is_reading = 0)) as others
    from works where hidden = 0 and id > ${slot('after')} order by id limit ${sql.lit(sliceSize)}`,
)
