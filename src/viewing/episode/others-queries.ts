import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { commentColumns, commentPrecision, likedBy } from '../parts/comment-columns'

type Asked = { episode: number; user: number; before: number; limit: number }

/** Records with a comment by others, newest first; those that one muted are left out. */
export const commentsOf = prepared((read, slot: SlotOf<Asked>) =>
  read
    .selectFrom('records')
    .innerJoin('users', 'users.id', 'records.user_id')
    .select(commentColumns)
    .select([commentPrecision, likedBy(slot('user'))])
    // uses records_episode
    .where('records.episode_id', '=', slot('episode'))
    .where(sql<boolean>`+records.has_comment = 1`)
    .where('records.id', '<', slot('before'))
    .where('records.user_id', '<>', slot('user'))
    .where(sql<boolean>`not exists (
      select 1 from mutes where mutes.user_id = ${slot('user')} and muted_id = records.user_id)`)
    .orderBy('records.id', 'desc')
    .limit(slot('limit')),
)
