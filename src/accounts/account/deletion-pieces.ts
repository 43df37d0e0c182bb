import { sql } from 'kysely'
import type { DB } from '../../db/schema'
import type { Tx } from '../../db/write'

/** `owner` is the column of the user's id; `owner` and `key` together are unique. */
interface OwnedTable {
  readonly table: keyof DB
  readonly owner: string
  readonly key: string
  /** Which rows stay when the user's comments are kept, as SQL: shared ones (D72). */
  readonly stays?: string
}

const isSharedComment =
  "hidden_by is null and (select privacy from users where users.id = comments.user_id) <> 'private'"

const isUnderWhatStays = `exists (select 1 from records where records.id = record_id and has_comment = 1 and withheld = 0)
  or exists (select 1 from reviews where reviews.id = review_id and has_body = 1 and withheld = 0)`

/** Everything an account owns except access, ordered so that little cascades. Extend the lists of `export.ts` too. */
export const ownedTables: readonly OwnedTable[] = [
  { table: 'notifications', owner: 'user_id', key: 'id' },
  { table: 'likes', owner: 'user_id', key: 'id' },
  { table: 'meeting_people', owner: 'user_id', key: 'meeting_id' },
  // What a merge of the catalogue would give back.
  { table: 'catalogue_moves', owner: 'user_id', key: 'id' },
  // What came of them stays, as a former member's.
  { table: 'catalogue_proposals', owner: 'user_id', key: 'id' },
  { table: 'comments', owner: 'user_id', key: 'id', stays: isSharedComment },
  { table: 'comments', owner: 'owner_id', key: 'id', stays: isUnderWhatStays },
  { table: 'meetings', owner: 'user_id', key: 'id' },
  { table: 'follows', owner: 'follower_id', key: 'id' },
  { table: 'follows', owner: 'followed_id', key: 'id' },
  { table: 'notifications', owner: 'actor_id', key: 'id' },
  { table: 'follow_requests', owner: 'follower_id', key: 'id' },
  { table: 'follow_requests', owner: 'followed_id', key: 'id' },
  { table: 'blocks', owner: 'user_id', key: 'blocked_id' },
  { table: 'blocks', owner: 'blocked_id', key: 'user_id' },
  { table: 'mutes', owner: 'user_id', key: 'muted_id' },
  { table: 'mutes', owner: 'muted_id', key: 'user_id' },
  { table: 'favorites', owner: 'user_id', key: 'id' },
  { table: 'reports', owner: 'reporter_id', key: 'id' },
  { table: 'reports', owner: 'user_id', key: 'id' },
  { table: 'moderations', owner: 'user_id', key: 'id' },
  { table: 'user_channels', owner: 'user_id', key: 'channel_id' },
  { table: 'changes', owner: 'user_id', key: 'id' },
  { table: 'deliveries', owner: 'user_id', key: 'id' },
  { table: 'left_out_series', owner: 'user_id', key: 'id' },
  { table: 'hooks', owner: 'user_id', key: 'id' },
  { table: 'outgoing', owner: 'user_id', key: 'id' },
  { table: 'destinations', owner: 'user_id', key: 'id' },
  { table: 'list_imports', owner: 'user_id', key: 'id' },
  { table: 'list_choices', owner: 'user_id', key: 'id' },
  { table: 'table_shapes', owner: 'user_id', key: 'id' },
  { table: 'waiting_tables', owner: 'user_id', key: 'user_id' },
  { table: 'acts', owner: 'user_id', key: 'id' },
  // Those of one moment go together.
  { table: 'form_receipts', owner: 'user_id', key: 'created_at' },
  { table: 'images', owner: 'user_id', key: 'id' },
  { table: 'former_images', owner: 'user_id', key: 'id' },
  { table: 'statuses', owner: 'user_id', key: 'work_id' },
  { table: 'library_entries', owner: 'user_id', key: 'id' },
  { table: 'laps', owner: 'user_id', key: 'id' },
  { table: 'skips', owner: 'user_id', key: 'id' },
  { table: 'notes', owner: 'user_id', key: 'work_id' },
  { table: 'feeds', owner: 'user_id', key: 'id' },
  { table: 'own_slots', owner: 'user_id', key: 'work_id' },
  { table: 'list_works', owner: 'user_id', key: 'id' },
  { table: 'lists', owner: 'user_id', key: 'id' },
  { table: 'shares', owner: 'user_id', key: 'id' },
  { table: 'activities', owner: 'user_id', key: 'id' },
  { table: 'reviews', owner: 'user_id', key: 'id', stays: 'has_body = 1 and withheld = 0' },
  { table: 'records', owner: 'user_id', key: 'id', stays: 'has_comment = 1 and withheld = 0' },
]

/** Returns the deleted keys above `after`, in order. 200 rows hold the writer for about 6 ms; -1: no limit (D40, D42). */
export async function deletePiece(
  tx: Tx,
  { table, owner, key, stays }: OwnedTable,
  asked: { userId: number; keepsComments: boolean; after: number; atOnce?: number },
): Promise<readonly number[]> {
  const { userId, keepsComments, after, atOnce = 200 } = asked
  const [rows, its, id] = [sql.table(table), sql.ref(owner), sql.ref(key)]
  const goes = keepsComments && stays !== undefined ? sql`not (${sql.raw(stays)})` : sql`true`
  const { rows: deleted } = await sql<{ key: number }>`
    delete from ${rows} where ${its} = ${userId} and ${id} in (
      select ${id} from ${rows} where ${its} = ${userId} and ${id} > ${after} and ${goes}
      order by ${id} limit ${atOnce})
    returning ${id} as key`.execute(tx)
  return deleted.map(({ key: one }) => one).sort((one, other) => one - other)
}

/**
 * Changes of the catalogue stay, as a former member's and without their words and link (D95). Returns how many became so. Uses
 * catalogue_changes_user.
 */
export async function disownChanges(tx: Tx, userId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update catalogue_changes set user_id = null, reason = '', source_url = '' where id in (
      select id from catalogue_changes where user_id = ${userId} limit 200)`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Rows of list imports, deleted before their import: cascading would make one long write. Returns how many it deleted. Uses
 * the index by import.
 */
export async function deleteImportRows(tx: Tx, userId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from list_import_rows where id in (
      select list_import_rows.id from list_imports join list_import_rows on import_id = list_imports.id
      where user_id = ${userId} limit 100)`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
