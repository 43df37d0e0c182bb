import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import { isCounted } from './estimate/broadcast-rule'
import { quartersOf, seasonName } from './season'

/** What the catalogue does not know until a source brings it. */
export interface Lacking {
  /** Television works, and how many of them have no known number of episodes. */
  readonly works: number
  readonly uncounted: number
  /** Those of the running season, and how many of them have no broadcast times. */
  readonly latest: number
  readonly undated: number
}

/** Undefined if a source is on, or nothing is missing. Walks the works. */
export async function lackingOf(read: Read, now: number): Promise<Lacking | undefined> {
  const [quarter] = quartersOf(seasonName(new Date(now).toISOString()))
  const [row] = await figures(read, { rank: Math.floor(quarter / 4) * 10 + (quarter % 4) + 1 })
  return row !== undefined && row.sources === 0 && row.uncounted + row.undated > 0 ? row : undefined
}

const figures = preparedSql<Lacking & { readonly sources: number }, { rank: number }>(
  (slot) => sql`
    with shown as materialized (
      select ${sql.raw(isCounted)} as is_counted, season_rank = ${slot('rank')} as is_latest,
        broadcast_begin is null and not exists (
          select 1 from programs where work_id = works.id and hidden = 0) as is_undated
      from works where hidden = 0 and media = 'tv' and no_episodes = 0)
    select count(*) as works, ifnull(sum(1 - is_counted), 0) as uncounted, ifnull(sum(is_latest), 0) as latest,
      ifnull(sum(is_latest and is_undated), 0) as undated,
      (select count(*) from catalogue_sources where is_enabled = 1) as sources
    from shown`,
)
