import { rm } from 'node:fs/promises'
import { imagePath } from '../../catalogue/cover-path'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { serviceUnavailable } from '../../http/errors'
import { type Encoded, shapes } from './encode'
import { filePath, storedFiles, writeFiles } from './files'

/** Whose picture it is of what. */
export type Owner =
  | { readonly kind: 'cover'; readonly workId: number; readonly userId: number | null }
  | { readonly kind: 'avatar'; readonly userId: number }

export type Origin = 'upload' | 'fetch'

type Tools = Pick<Deps, 'read' | 'write' | 'config' | 'now' | 'log'>

/** A member has this many pictures at most; those for all are not counted. */
export const mostPictures = 200

/** The member has too many pictures. */
export class TooManyPictures extends Error {}

/** Replaces the owner's picture. Throws `TooManyPictures`, or service_unavailable if the disk refuses it. */
export async function keepPicture(
  deps: Tools,
  owner: Owner,
  origin: Origin,
  picture: Encoded,
): Promise<void> {
  await inTurn(async () => {
    writeOrRefuse(deps, picture)
    const unused = [picture.hash]
    try {
      const replace = (tx: Tx) => replaceRow(tx, owner, rowOf(owner, origin, picture, deps.now()))
      unused.push(...(await deps.write(replace)))
    } finally {
      await deleteUnused(deps, unused)
    }
  })
}

/** The hashes of what was replaced. */
async function replaceRow(tx: Tx, owner: Owner, row: ReturnType<typeof rowOf>): Promise<string[]> {
  const replaced = await dropRow(tx, owner)
  if (await hasTooMany(tx, owner.userId)) throw new TooManyPictures()
  await tx.insertInto('images').values(row).execute()
  await tellOwner(tx, owner, row.hash)
  return replaced
}

/** Whether there was one. */
export async function removePicture(deps: Tools, owner: Owner): Promise<boolean> {
  return await inTurn(async () => {
    const removed = await deps.write(async (tx) => {
      const hashes = await dropRow(tx, owner)
      if (hashes.length > 0) await tellOwner(tx, owner, undefined)
      return hashes
    })
    await deleteUnused(deps, removed)
    return removed.length > 0
  })
}

/** Deletes files without a row: of accounts that are gone, and of writes that were interrupted. */
export async function sweepFiles(deps: Tools): Promise<void> {
  for await (const { path, hash, changedAt } of storedFiles(deps.config.data)) {
    if (Date.now() - changedAt < 60_000) continue
    await inTurn(async () => {
      if (hash === '' || !(await isUsed(deps, hash))) await rm(path, { force: true })
    })
  }
}

function writeOrRefuse({ config, log }: Tools, picture: Encoded): void {
  try {
    writeFiles(config.data, picture)
  } catch (cause) {
    log('image_not_stored', { why: String(cause) })
    throw serviceUnavailable('The picture cannot be stored right now.')
  }
}

async function dropRow(tx: Tx, owner: Owner): Promise<string[]> {
  const rows = await tx
    .deleteFrom('images')
    .where('kind', '=', owner.kind)
    .where('work_id', 'is', owner.kind === 'cover' ? owner.workId : null)
    .where('user_id', 'is', owner.userId)
    .returning('hash')
    .execute()
  return rows.map(({ hash }) => hash)
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

const rowOf = (owner: Owner, origin: Origin, { hash, width, height, placeholder }: Encoded, at: number) => ({
  kind: owner.kind,
  hash,
  work_id: owner.kind === 'cover' ? owner.workId : null,
  user_id: owner.userId,
  origin,
  width,
  height,
  placeholder,
  created_at: at,
})

/** What the API says of a picture is cached by the version of its work or user, which grows with each update. */
async function tellOwner(tx: Tx, owner: Owner, hash: string | undefined): Promise<void> {
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

async function deleteUnused(deps: Tools, hashes: readonly string[]): Promise<void> {
  for (const hash of new Set(hashes)) {
    if (await isUsed(deps, hash)) continue
    const widths = Object.values(shapes).flatMap((shape) => shape.widths)
    for (const width of widths) await rm(filePath(deps.config.data, hash, width), { force: true })
  }
}

async function isUsed({ read }: Tools, hash: string): Promise<boolean> {
  const row = await read.selectFrom('images').select('id').where('hash', '=', hash).executeTakeFirst() // uses images_hash
  return row !== undefined
}

/** Files are written before their row and deleted after it, so nothing else may happen in between. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  await before
  try {
    return await work()
  } finally {
    resolve()
  }
}

// Module state, not a dependency: files of one process, whoever writes them.
let last: Promise<void> = Promise.resolve()
