import { sql } from 'kysely'
import { annictIds } from './ids'
import { seasons } from './seasons'
import { anyText } from './texts'

/** Several filters are combined with AND. */
export const workFilters = {
  annictIds: annictIds('works'),
  seasons: seasons(sql.ref('works.season_rank')),
  titles: anyText('works', 'titles'),
}
