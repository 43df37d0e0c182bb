import { sql } from 'kysely'
import { imagePath } from '../../catalogue/cover-path'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { serviceUnavailable } from '../../http/errors'
import type { Encoded } from './encode'
import { sizeOf, writeFiles } from './files'
import { isOwnedBy, makeFormer, ownerColumns, type PictureOwner, takeFormer } from './former'
import { changeRows, deleteUnused, formerPicture, formerShares, inTurn } from './unused'

export type Origin = 'upload' | 'fetch'

type ImageDeps = Pick<Deps, 'read' | 'write' | 'config' | 'now' | 'wallClock' | 'log'>

/** The most pictures a member may have; covers for everybody are not counted. */
export const mostPictures = 200

export class TooManyPictures extends Error {}

/** In bytes, the most that a member's pictures may take up, previous ones included. */
export const mostBytes = 60_000_000

export class PicturesTooLarge extends Error {}

/**
 * Replaces the owner's picture. Throws `TooManyPictures` or `PicturesTooLarge`, or service_unavailable if the
 * disk refuses it.
 */
export async function keepPicture(
  deps: ImageDeps,
  owner: PictureOwner,
  origin: Origin,
  picture: Encoded,
): Promise<void> {
  const replace = (tx: Tx) => replaceRow(tx, owner, imageRow(owner, origin, picture, deps.now()), deps.now())
  await keepFiles(deps, owner.userId, picture, async (unused) => {
    unused.push(...(await deps.write(replace)))
  })
}

/** Keeps the picture of a year that is shared by `write`, whose row names it. Throws as `keepPicture` does. */
export const keepSharePicture = <Shared>(
  deps: ImageDeps,
  userId: number,
  picture: Pick<Encoded, 'hash' | 'files'>,
  write: () => Promise<Shared>,
): Promise<Shared> => keepFiles(deps, userId, picture, write)

/** `write` may add hashes of pictures that are no longer used. */
const keepFiles = <Written>(
  deps: ImageDeps,
  userId: number | null,
  picture: Pick<Encoded, 'hash' | 'files'>,
  write: (unused: string[]) => Promise<Written>,
): Promise<Written> =>
  inTurn(async () => {
    const size = picture.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (size + (await bytesOfMember(deps, userId)) > mostBytes) throw new PicturesTooLarge()
    writeOrRefuse(deps, picture)
    const unused = [picture.hash]
    try {
      return await write(unused)
    } finally {
      await deleteUnused(deps, unused)
    }
  })

/** The replaced picture can be restored; returns the hashes of those that no longer can. */
async function replaceRow(
  tx: Tx,
  owner: PictureOwner,
  row: ReturnType<typeof imageRow>,
  now: number,
): Promise<readonly string[]> {
  const replaced = await makeFormer(tx, owner, now)
  if (await hasTooMany(tx, owner.userId)) throw new TooManyPictures()
  await tx.insertInto('images').values(row).execute()
  await tellOwner(tx, owner, row.hash)
  return replaced
}

/** Returns whether there was one. It can be restored. */
export const removePicture = (deps: ImageDeps, owner: PictureOwner): Promise<boolean> =>
  changeRows(deps, async (tx) => {
    if (!(await hasPicture(tx, owner))) return undefined
    const dropped = await makeFormer(tx, owner, deps.now())
    await tellOwner(tx, owner, undefined)
    return dropped
  })

/** Swaps the former picture with the present one. Returns whether there was one. Throws `TooManyPictures`. */
export const restorePicture = (deps: ImageDeps, owner: PictureOwner): Promise<boolean> =>
  changeRows(deps, async (tx) => {
    const row = await takeFormer(tx, owner)
    if (row === undefined) return undefined
    await makeFormer(tx, owner, deps.now())
    if (await hasTooMany(tx, owner.userId)) throw new TooManyPictures()
    await tx.insertInto('images').values(row).execute()
    await tellOwner(tx, owner, row.hash)
    return []
  })

/** Deletes the former picture for good. Returns whether there was one. */
export const forgetPicture = (deps: ImageDeps, owner: PictureOwner): Promise<boolean> =>
  changeRows(deps, async (tx) => {
    const row = await takeFormer(tx, owner)
    return row === undefined ? undefined : [row.hash]
  })

function writeOrRefuse({ config, log }: ImageDeps, picture: Pick<Encoded, 'hash' | 'files'>): void {
  try {
    writeFiles(config.data, picture)
  } catch (cause) {
    log('image_not_stored', { why: String(cause) })
    throw serviceUnavailable('The picture cannot be stored right now.')
  }
}

async function hasPicture(tx: Tx, owner: PictureOwner): Promise<boolean> {
  const row = await tx.selectFrom('images').select('id').where(isOwnedBy(owner)).executeTakeFirst()
  return row !== undefined
}

async function hasTooMany(tx: Tx, userId: number | null): Promise<boolean> {
  if (userId === null) return false
  const { count } = await tx
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId) // uses images_user
    .executeTakeFirstOrThrow()
  return count >= mostPictures
}

/** What the files of a member's pictures take up on disk; 0 for covers for everybody. */
async function bytesOfMember({ read, config }: ImageDeps, userId: number | null): Promise<number> {
  if (userId === null) return 0
  const rows = await read
    .selectFrom('images') // uses images_user
    .select('hash')
    .where('user_id', '=', userId)
    .unionAll(read.selectFrom('former_images').select('hash').where('user_id', '=', userId))
    .unionAll(
      read
        .selectFrom('shares')
        .select(sql<string>`picture_hash`.as('hash'))
        .where('user_id', '=', userId)
        .where('picture_hash', 'is not', null),
    )
    .unionAll(formerShares(read).select(formerPicture.as('hash')).where('user_id', '=', userId))
    .execute()
  const hashes = new Set(rows.flatMap(({ hash }) => hash ?? []))
  return [...hashes].reduce((sum, hash) => sum + sizeOf(config.data, hash), 0)
}

const imageRow = (
  owner: PictureOwner,
  origin: Origin,
  { hash, width, height, placeholder }: Encoded,
  at: number,
) => ({
  ...ownerColumns(owner),
  hash,
  origin,
  width,
  height,
  placeholder,
  created_at: at,
})

/** The API's data on a picture is cached by the version of its work or user, which grows with each update. */
async function tellOwner(tx: Tx, owner: PictureOwner, hash: string | undefined): Promise<void> {
  if (owner.kind === 'avatar') {
    const avatar_url = hash === undefined ? '' : imagePath(hash, 192)
    await tx.updateTable('users').set({ avatar_url }).where('id', '=', owner.userId).execute()
  } else if (owner.userId === null) {
    await tx
      .updateTable('works')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', owner.workId)
      .execute()
  }
}
