import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { StatusKind } from '../../library/statuses'
import type { Titles } from '../../pages/title'
import { byRenown } from '../parts/renown'

export interface OfferedWork extends CoveredWork, Titles {
  readonly kind: StatusKind | null
}

/**
 * The best-known television series between two values of `season_rank`: the best of each season first, starting with
 * the latest, because newer series are less known. Uses works_season_desc.
 */
export const offeredWorks = prepared(
  (read: Read, slot: SlotOf<{ user: number; from: number; until: number; limit: number }>) =>
    read
      .selectFrom('works')
      .leftJoin('statuses', (join) =>
        join.onRef('statuses.work_id', '=', 'works.id').on('statuses.user_id', '=', slot('user')),
      )
      .select(['works.id', 'title', 'title_en', 'title_ro'])
      .select(coverColumns(slot('user')))
      .select(sql<StatusKind | null>`kind`.as('kind'))
      .where('season_rank', '>=', slot('from'))
      .where('season_rank', '<=', slot('until'))
      .where('media', 'in', ['tv', 'web'])
      .where('no_episodes', '=', 0)
      .where('works.hidden', '=', 0)
      .orderBy(sql`row_number() over (partition by season_rank order by ${byRenown})`)
      .orderBy('season_rank', 'desc')
      .limit(slot('limit')),
)

/** How many works a user is watching. Uses statuses_kind. */
export const watchingCount = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('statuses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', slot('user'))
    .where('kind', '=', 'watching'),
)
