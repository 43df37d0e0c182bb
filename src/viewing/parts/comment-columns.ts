import { type RawBuilder, sql } from 'kysely'
import type { Precision } from '../../library/watched'

/** Columns of records and their users for showing a comment, together with `commentPrecision` and `likedBy`. */
export const commentColumns = [
  'records.id',
  'users.username',
  'users.avatar_url',
  'records.comment as text',
  'records.rating_state as rating',
  'records.score',
  'records.watched_at as at',
  'records.likes_count',
  'records.comments_count',
] as const

/** Not of somebody whom an administrator disabled: also for what is not listed but named. */
export const isOfShownWriter = sql<boolean>`(users.disabled_at is null
  or exists (select 1 from deletions where user_id = users.id))`

/**
 * Whose texts pages show a reader: not the reader's own, which stand apart, nor those of people whom the reader muted or an
 * administrator disabled. A deleted account counts as disabled, but what it kept is shown.
 */
export const isShownTo = (reader: RawBuilder<unknown>) => sql<boolean>`users.id <> ${reader}
  and ${isOfShownWriter}
  and not exists (select 1 from mutes where mutes.user_id = ${reader} and muted_id = users.id)`

/** Of many rows, a visitor may see none: no more than so many are looked at for them (D72). */
export const mostForVisitors = 5000

export const commentPrecision = sql<Precision>`records.watched_at_precision`.as('precision')

// uses likes_record
export const likedBy = (user: RawBuilder<unknown>) =>
  sql<number>`exists (select 1 from likes where record_id = records.id and user_id = ${user})`.as('liked')
