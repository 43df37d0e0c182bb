import { dirname } from 'node:path'
import { Failure } from '../lib/failure'
import { type Access, isFull, whyUnusable } from './file-access'

/**
 * The failure to report where SQLite or the operating system cannot use a file. The message names the file and, as far as
 * its permissions and its directory tell, what is wrong with it: SQLite itself says no more than "unable to open database
 * file". Returns a `Failure` as it is.
 */
export function fileFailure(path: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return new Failure('data', `${path} is damaged: ${why}`)
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return new Failure('busy', `${path} is in use: ${why}`)
  if (/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return diskFull(path)
  if (/^(?:SQLITE_IOERR|EIO)/.test(code))
    return new Failure('io', `cannot use ${path}: the disk fails: ${why}`)
  if (isExhausted(cause)) return tooManyFiles(path)
  try {
    const problem = whyUnusable(path, 'write')
    if (problem === undefined && isFull(dirname(path))) return diskFull(path)
    return unusable(path, problem ?? why)
  } catch (second) {
    // To look takes a file descriptor too.
    return isExhausted(second) ? tooManyFiles(path) : unusable(path, why)
  }
}

/** Throws for a file that is there but cannot be used, before SQLite opens it: that would read on without a word. */
export function refuseUnusable(path: string, access: Access): void {
  let problem: string | undefined
  try {
    problem = whyUnusable(path, access)
  } catch (cause) {
    throw fileFailure(path, cause)
  }
  if (problem !== undefined) throw unusable(path, problem)
}

const isExhausted = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^E[MN]FILE$/.test(String(cause.code))

const tooManyFiles = (path: string) => new Failure('io', `cannot open ${path}: too many open files`)

const unusable = (path: string, why: string) => new Failure('config', `cannot use ${path}: ${why}`)

const diskFull = (path: string) => new Failure('io', `cannot write ${path}: the disk is full`)
