import { type RawBuilder, sql } from 'kysely'
import type { PageContext } from '../../pages/layout'
import { workPath } from './cover'
import { isPlainNumber } from './episode-name'

export interface EpisodeAddress {
  readonly id: number
  readonly work_id: number
  readonly number: string | null
  /** 1 if no other episode of the work has its number. */
  readonly is_only: number
}

/** `/works/10079/episodes/5`; `id-2001` for an episode whose number is missing or not unique. */
export function episodePath(pageContext: PageContext, episode: EpisodeAddress): string {
  const { id, work_id, number, is_only } = episode
  const address = is_only === 1 && isPlainNumber(number) ? number : `id-${id}`
  return `${workPath(pageContext, work_id)}/episodes/${address}`
}

/** SQL of `is_only` for a row of `episodes`; uses episodes_work_all. */
export const isOnlyOfItsNumber: RawBuilder<number> = sql<number>`not exists (
  select 1 from episodes as same where same.work_id = episodes.work_id and same.number = episodes.number
    and same.id <> episodes.id and same.hidden = 0)`
