import { sql } from 'kysely'
import { many } from '../declare/list'
import { hasText } from './rules'

/** When the record was watched, like REST's created_at. */
const createdAt = sql`iif(records.watched_at_precision in ('time', 'day'), records.watched_at, records.created_at)`

/** Records by a column: an episode's, or a user's. */
export const recordsBy = (parent: 'records.episode_id' | 'records.user_id') =>
  many({
    of: 'Record',
    ...(parent === 'records.episode_id' && { isShared: true }),
    from: sql`records`,
    id: sql.ref('records.id'),
    parent: sql.ref(parent),
    orders: { CREATED_AT: { by: createdAt }, LIKES_COUNT: { by: sql.ref('records.likes_count') } },
    filters: { hasComment: hasText('records.has_comment') },
  })
