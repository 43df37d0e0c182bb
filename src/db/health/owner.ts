import { lchownSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Failure } from '../../lib/failure'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The owner of the data directory if root runs kiroku for somebody else; otherwise undefined. */
export function ownerBesideRoot(directory: string): Owner | undefined {
  if (process.geteuid?.() !== 0) return undefined
  const found = statSync(directory, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/**
 * Gives what root made in the directory to its owner, whose server could not open it otherwise, and returns
 * the names. SQLite does this itself for -wal and -shm. Follows no links, takes no hard links, and enters
 * only folders of root's: in others, the owner could swap files.
 */
export function giveToOwner(directory: string, { uid, gid }: Owner): readonly string[] {
  const given = rootsIn(directory)
  for (const path of given) lchownSync(path, uid, gid)
  return given.map((path) => relative(directory, path))
}

/**
 * Throws a `config` failure if root would follow a link of somebody else's in place of `backups/`: it would write and
 * delete files wherever that leads.
 */
export function refuseForeignLink(directory: string): void {
  if (process.geteuid?.() !== 0) return
  const path = join(directory, 'backups')
  const found = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? look(path) : undefined
  if (found?.isSymbolicLink() !== true || found.uid === 0) return
  throw new Failure(
    'config',
    `${path} is a link that does not belong to root: run this as the user of the server, or chown -h root ${path}`,
  )
}

/** Files directly in the data directory that do not belong to the user. */
export function filesOfOthers(directory: string, uid: number): readonly string[] {
  return readdirSync(directory).filter((name) => look(join(directory, name))?.uid !== uid)
}

/** The contents of a folder come before the folder. */
function rootsIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const found = look(path)
    if (found?.uid !== 0) return []
    if (found.isDirectory()) return [...rootsIn(path), path]
    return found.isFile() && found.nlink === 1 ? [path] : []
  })
}

const look = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
