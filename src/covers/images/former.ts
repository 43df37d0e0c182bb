import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/write'

/** Whose picture it is, and of what. */
export type PictureOwner =
  | { readonly kind: 'cover'; readonly workId: number; readonly userId: number | null }
  | { readonly kind: 'avatar'; readonly userId: number }

export const ownerColumns = (owner: PictureOwner) => ({
  kind: owner.kind,
  work_id: owner.kind === 'cover' ? owner.workId : null,
  user_id: owner.userId,
})

/** SQL condition for rows of `images` and `former_images`. */
export function isOwnedBy(owner: PictureOwner): RawBuilder<boolean> {
  const { kind, work_id, user_id } = ownerColumns(owner)
  return sql<boolean>`kind = ${kind} and work_id is ${work_id} and user_id is ${user_id}`
}

/** Takes the picture out of use. It can be restored; returns the hash of the former one it displaces. */
export async function makeFormer(tx: Tx, owner: PictureOwner, now: number): Promise<readonly string[]> {
  const present = await takeRow(tx, 'images', owner)
  if (present === undefined) return []
  const former = await takeFormer(tx, owner)
  await tx
    .insertInto('former_images')
    .values({ ...present, replaced_at: now })
    .execute()
  return former === undefined ? [] : [former.hash]
}

/** Removes the former picture and returns its row for `images`. */
export const takeFormer = (tx: Tx, owner: PictureOwner) => takeRow(tx, 'former_images', owner)

/** Removes pictures that were replaced before a time, and returns their hashes. */
export async function dropFormer(tx: Tx, before: number): Promise<string[]> {
  const rows = await tx
    .deleteFrom('former_images')
    .where('replaced_at', '<', before) // uses former_images_replaced
    .returning('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

const takeRow = (tx: Tx, table: 'images' | 'former_images', owner: PictureOwner) =>
  tx
    .deleteFrom(table)
    .where(isOwnedBy(owner))
    .returning(['kind', 'hash', 'work_id', 'user_id', 'origin'])
    .returning(['width', 'height', 'placeholder', 'created_at'])
    .executeTakeFirst()
