import { dirname } from 'node:path'
import { Failure } from '../lib/failure'
import { type FileAccess, isFull, whyUnusable } from './file-access'
import { commandFailures, type StorageProblem, storageFault } from './storage-fault'

/** Looks at permissions and directory, since SQLite only says "unable to open database file". */
export function fileFailure(path: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  const fault = storageFault(cause)
  if (fault?.problem === 'disk_full') return diskFull(path)
  const meaning = fault && fileMeanings[fault.problem]
  if (fault !== undefined && meaning !== undefined)
    return new Failure(
      commandFailures[fault.problem].kind,
      `cannot use ${path}: ${meaning}: ${why}${fault.problem === 'damaged' ? waysOut : ''}`,
    )
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
  damaged: 'it is damaged',
  busy: 'another process keeps it busy',
  io_error: 'the disk reports an error',
}

const waysOut = '; kiroku doctor tells more, kiroku backup restore puts a backup in its place'

/** Throws for an unusable file before SQLite opens it, which would read on silently. */
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
