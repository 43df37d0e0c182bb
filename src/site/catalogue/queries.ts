import { type DefaultCatalogueState, stateOfLoaded } from '../../catalogue/default-catalogue'
import type { Read } from '../../db/open'
import { scopeOf } from '../../sources/run/scope'

export interface SeasonCount {
  readonly year: number
  readonly season: 'winter' | 'spring' | 'summer' | 'autumn'
  readonly count: number
}

interface Extent {
  readonly works: number
  readonly episodes: number
  readonly estimated: number
  readonly people: number
  /** The seasons that sources are usually asked about. */
  readonly seasons: readonly SeasonCount[]
  readonly defaultCatalogue: DefaultCatalogueState
}

/** Counts only what is shown. Walks all episodes to count the estimated ones. */
export async function extentOf(read: Read, now: number): Promise<Extent> {
  const counts = await read
    .selectFrom('row_counts')
    .select(['list', 'n'])
    .where('list', 'in', ['works', 'episodes', 'people'])
    .where('key', '=', 0)
    .where('block', '=', -1)
    .execute()
  const countOf = (list: string) => counts.find((count) => count.list === list)?.n ?? 0
  const estimated = await read
    .selectFrom('episodes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('estimated', '=', 1)
    .where('hidden', '=', 0)
    .executeTakeFirstOrThrow()
  return {
    works: countOf('works'),
    episodes: countOf('episodes'),
    people: countOf('people'),
    estimated: estimated.n,
    seasons: await seasonCounts(read, now),
    defaultCatalogue: await loadedState(read),
  }
}

const names = ['winter', 'spring', 'summer', 'autumn'] as const

/** Uses works_season. */
async function seasonCounts(read: Read, now: number): Promise<SeasonCount[]> {
  const seasons = scopeOf({}, now).seasons.map((text) => {
    const place = names.findIndex((name) => text.endsWith(name))
    return {
      year: Number.parseInt(text, 10),
      season: names[place] ?? 'winter',
      rank: Number.parseInt(text, 10) * 10 + place + 1,
    }
  })
  const rows = await read
    .selectFrom('works')
    .select(({ fn }) => ['season_rank', fn.countAll<number>().as('count')])
    .where('hidden', '=', 0)
    .where(
      'season_rank',
      'in',
      seasons.map(({ rank }) => rank),
    )
    .groupBy('season_rank')
    .execute()
  return seasons.map(({ rank, ...season }) => ({
    ...season,
    count: rows.find((row) => row.season_rank === rank)?.count ?? 0,
  }))
}

async function loadedState(read: Read): Promise<DefaultCatalogueState> {
  const loaded = await read
    .selectFrom('instance')
    .select('value')
    .where('name', '=', 'default_catalogue')
    .executeTakeFirst()
  return stateOfLoaded(loaded?.value)
}
