import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { exportSection } from './section'

/** Every work the library refers to, once. `ids`: its ids at other sites, so that the file can move between instances. */
export const works = exportSection(
  'works',
  (read, userId) =>
    read
      .selectFrom('works')
      .select(['works.id as place', 'works.id', 'title', 'media', 'season_year', 'released_on', idsElsewhere])
      .where('works.id', 'in', worksOf(read, userId)),
  ({ ids, ...row }) => ({ ...row, ids: JSON.parse(ids) }),
)

const worksOf = (read: Read, userId: number) =>
  read
    .selectFrom('statuses')
    .select('work_id')
    .where('user_id', '=', userId)
    .union(read.selectFrom('records').select('work_id').where('user_id', '=', userId)) // uses records_user_work
    .union(read.selectFrom('reviews').select('work_id').where('user_id', '=', userId)) // uses reviews_user_work
    .union(read.selectFrom('laps').select('work_id').where('user_id', '=', userId))
    .union(read.selectFrom('notes').select('work_id').where('user_id', '=', userId))
    .union(
      read
        .selectFrom('skips')
        .innerJoin('episodes', 'episodes.id', 'episode_id')
        .select('work_id')
        .where('user_id', '=', userId),
    )

/** The first id at each site, without title keys and keys that only a pack knows. */
const idsElsewhere = sql<string>`(
  select json_group_object(ns, id) from (
    select ns, min(external_id) as id from external_ids indexed by external_ids_local
    where local_id = works.id and kind = 'work' and is_key < 2 and ns <> 'title' group by ns))`.as('ids')
