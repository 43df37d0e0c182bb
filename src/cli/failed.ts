import { storageFailure, storageFault } from '../db/storage-fault'
import { Failure } from '../lib/failure'

export interface FailureReport {
  readonly line: string
  readonly exitCode: number
}

export function reportOf(cause: unknown): FailureReport {
  if (cause instanceof Failure) return { line: oneLine(cause.message), exitCode: cause.exitCode }
  const known = knownFailure(cause)
  if (known !== undefined) return { line: oneLine(known.message), exitCode: known.exitCode }
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  // EX_SOFTWARE
  return { line: oneLine(`unexpected failure: ${why} (--verbose shows where)`), exitCode: 70 }
}

function knownFailure(cause: unknown): Failure | undefined {
  if (isErrno(cause) && cause.code === 'EROFS')
    return new Failure('config', `cannot write ${cause.path ?? 'a file'}: its file system is read-only`)
  const fault = storageFault(cause)
  if (fault !== undefined) return storageFailure(fault)
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  return /^(?:EACCES|EPERM)$/.test(String(cause.code))
    ? new Failure('config', `not allowed: ${cause.message}`)
    : undefined
}

const isErrno = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && 'syscall' in cause

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim()
