import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { StatusKind } from '../../library/statuses'

/** A work on a user's list, without the entry. */
export interface ListedWork {
  readonly id: number
  readonly malId: string
  readonly status: StatusKind | null
}

/** Works with a status, a record or a review of the user, by id. Uses records_user_work. */
export const listedWorks = preparedSql<ListedWork, { user: number }>(
  (slot) => sql<ListedWork>`
    select works.id, ${malId} as malId, kind as status from (
      select work_id from statuses where user_id = ${slot('user')}
      union select work_id from records where user_id = ${slot('user')}
      union select work_id from reviews where user_id = ${slot('user')}
    ) as mine
    join works on works.id = mine.work_id
    left join statuses on statuses.user_id = ${slot('user')} and statuses.work_id = mine.work_id
    order by works.id`,
)

/** SQL of a work's id at MyAnimeList; '' if it has none. */
export const malId = sql<string>`iif(mal_anime_id glob '[1-9]*' and mal_anime_id not glob '*[^0-9]*', mal_anime_id, '')`
