import { Database } from 'bun:sqlite'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { lockPath } from '../../db/lock'
import { type Diagnosis, ok } from './diagnosis'

export function examineLock(directory: string): Diagnosis {
  const path = lockPath(directory)
  if (!isHeld(path)) return ok('server', 'none is using this directory')
  const holder = holderOf(path)
  return ok('server', `one is using this directory${holder === undefined ? '' : `, process ${holder}`}`)
}

/** Neither takes the lock nor creates the file. */
function isHeld(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    using handle = new Database(path, { readonly: true })
    handle.query('select 1 from sqlite_schema').all()
    return false
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && /^SQLITE_BUSY/.test(String(cause.code))
  }
}

/** Linux identifies locks by inode: `1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`. */
function holderOf(path: string): string | undefined {
  try {
    const { ino } = statSync(path)
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((text) => text.includes(`:${ino} `) && text.includes('WRITE'))
    return line?.split(/\s+/)[4]
  } catch {
    return undefined
  }
}
