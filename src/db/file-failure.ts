import { dirname } from 'node:path'
import { Failure } from '../lib/failure'
import { type FileAccess, isFull, whyUnusable } from './file-access'
import { afterDamage, commandFailures, type StorageProblem, storageFault } from './storage-fault'

/** Checks permissions and directory, since SQLite only says "unable to open database file". */
export function fileFailure(path: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  const fault = storageFault(cause)
  if (fault?.problem === 'disk_full' || (fault?.problem === 'io_error' && hasNoRoom(path)))
    return diskFull(path)
  if (fault?.problem === 'damaged') return new DamagedFile(path, why)
  const meaning = fault && fileMeanings[fault.problem]
  if (fault !== undefined && meaning !== undefined)
    return new Failure(commandFailures[fault.problem].kind, `cannot use ${path}: ${meaning}: ${why}`)
  if (isExhausted(cause)) return tooManyFiles(path)
  try {
    const problem = whyUnusable(path, 'write')
    if (problem === undefined && isFull(dirname(path))) return diskFull(path)
    return unusable(path, problem ?? why)
  } catch (second) {
    return isExhausted(second) ? tooManyFiles(path) : unusable(path, why)
  }
}

const fileMeanings: Partial<Record<StorageProblem, string>> = {
  busy: 'another process keeps it busy',
  io_error: 'the disk reports an error',
}

/** SQLite cannot read the file. */
export class DamagedFile extends Failure {
  constructor(path: string, why: string) {
    super('data', `cannot use ${path}: it is damaged: ${why}; ${afterDamage}`)
  }
}

/** On a full disk, SQLite reports an I/O error if it cannot create its shared memory (`-shm`). */
function hasNoRoom(path: string): boolean {
  try {
    return isFull(dirname(path))
  } catch {
    return false
  }
}

/** Throws for an unusable file before SQLite opens it, as SQLite would silently continue read-only. */
export function refuseUnusable(path: string, access: FileAccess): void {
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
