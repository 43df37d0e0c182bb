import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { oneAtATime } from '../../lib/one-at-a-time'
import { keptMs } from '../../library/acts/act'
import { encode, largestFile } from './encode'
import { filePaths, storedFiles, writeFiles } from './files'
import { dropFormer } from './former'

type SweepDeps = Pick<Deps, 'read' | 'write' | 'config' | 'now' | 'log' | 'wallClock'>

/** Deletes the files of the hashes that `change` returns; undefined means that there was nothing to do. */
export const changeRows = (deps: SweepDeps, change: (tx: Tx) => Promise<readonly string[] | undefined>) =>
  inTurn(async () => {
    const dropped = await deps.write(change)
    await deleteUnused(deps, dropped ?? [])
    return dropped !== undefined
  })

/**
 * Deletes pictures replaced 30 days ago, and files without a row, from deleted accounts or interrupted writes. Makes
 * again what versions up to 0.1.0 stored with a colour profile of up to 16 MB in each file.
 */
export async function sweepFiles(deps: SweepDeps): Promise<void> {
  await changeRows(deps, (tx) => dropFormer(tx, deps.wallClock.believed() - keptMs))
  for await (const { path, hash, changedAt, size } of storedFiles(deps.config.data)) {
    if (Date.now() - changedAt < 60_000) continue
    await inTurn(async () => {
      if (hash === '' || !(await isUsed(deps, hash))) await rm(path, { force: true })
      else if (size > 2 * largestFile && path.endsWith('.webp')) await makeAgain(deps, hash)
    })
  }
}

/** From its largest file, under the same name: pages and caches of browsers know it by that. */
async function makeAgain({ config, log }: SweepDeps, hash: string): Promise<void> {
  const [largest = ''] = filePaths(config.data, hash)
    .filter((path) => existsSync(path))
    .toReversed()
  const kind = largest.endsWith('-192.webp') ? 'avatar' : 'cover'
  try {
    const { files } = await encode(await Bun.file(largest).bytes(), kind)
    writeFiles(config.data, { hash, files })
    log('picture_reduced', { picture: hash })
  } catch (cause) {
    log('picture_reduced', { picture: hash, why: String(cause) })
  }
}

export async function deleteUnused(deps: SweepDeps, hashes: readonly string[]): Promise<void> {
  for (const hash of new Set(hashes)) {
    if (await isUsed(deps, hash)) continue
    for (const path of filePaths(deps.config.data, hash)) await rm(path, { force: true })
  }
}

async function isUsed({ read, wallClock }: SweepDeps, hash: string): Promise<boolean> {
  const isUndoable = sql<boolean>`(select created_at from acts where acts.id = act_id) >= ${wallClock.believed() - keptMs}`
  const rows = await read
    .selectFrom('images') // uses images_hash
    .select('id')
    .where('hash', '=', hash)
    .unionAll(read.selectFrom('former_images').select('id').where('hash', '=', hash)) // uses former_images_hash
    .unionAll(read.selectFrom('shares').select('id').where('picture_hash', '=', hash)) // uses shares_picture
    .unionAll(formerShares(read).select('id').where(formerPicture, '=', hash).where(isUndoable)) // uses changes_share_picture
    .limit(1)
    .execute()
  return rows.length > 0
}

/** Copies that were replaced or are no longer shared, as long as an undo brings them back. */
export const formerShares = (read: SweepDeps['read']) =>
  read.selectFrom('changes').where('table_name', '=', sql.lit('shares')).where('before', 'is not', null)

export const formerPicture = sql<string>`before ->> 'picture_hash'`

/**
 * Files are written before their row and deleted after it, so nothing else may happen in between. Module
 * state, not a dependency, since the files belong to the process, whoever writes them.
 */
export const inTurn = oneAtATime(Number.POSITIVE_INFINITY, () => new RangeError('no queue is so long'))
