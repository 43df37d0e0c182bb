import { sql } from 'kysely'
import { annictIds, anyText } from './rules'
import { seasons } from './seasons'

/** Several filters are combined with AND. */
export const workFilters = {
  annictIds: annictIds('works'),
  seasons: seasons(sql.ref('works.season_rank')),
  titles: anyText('works', 'titles'),
}
