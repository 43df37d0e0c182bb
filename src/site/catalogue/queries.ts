import { sql } from 'kysely'
import { type DefaultCatalogueState, stateOfLoaded } from '../../catalogue/default-catalogue'
import type { Read } from '../../db/open'

export interface NewestSeason {
  readonly year: number
  readonly season: 'winter' | 'spring' | 'summer' | 'autumn'
  readonly count: number
}

interface Extent {
  readonly works: number
  readonly episodes: number
  /** Of the episodes. */
  readonly estimated: number
  readonly people: number
  readonly newest: NewestSeason | undefined
  readonly defaultCatalogue: DefaultCatalogueState
}

/** Of what is shown. Counts the estimated episodes by a walk over all. */
export async function extentOf(read: Read): Promise<Extent> {
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
    newest: await newestSeason(read),
    defaultCatalogue: await loadedState(read),
  }
}

/** Uses works_season_desc. */
const newestSeason = (read: Read) =>
  read
    .selectFrom('works')
    .select(({ fn }) => [
      sql<number>`season_year`.as('year'),
      sql<NewestSeason['season']>`season`.as('season'),
      fn.countAll<number>().as('count'),
    ])
    .where('hidden', '=', 0)
    .where('season', 'is not', null)
    .where('season_rank', '=', ({ selectFrom }) =>
      selectFrom('works')
        .select(({ fn }) => fn.max('season_rank').as('rank'))
        .where('hidden', '=', 0)
        .where('season', 'is not', null),
    )
    .groupBy(['season_year', 'season'])
    .executeTakeFirst()

async function loadedState(read: Read): Promise<DefaultCatalogueState> {
  const loaded = await read
    .selectFrom('instance')
    .select('value')
    .where('name', '=', 'default_catalogue')
    .executeTakeFirst()
  return await stateOfLoaded(loaded?.value)
}
