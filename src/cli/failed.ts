import { type StorageProblem, storageFault } from '../db/storage-fault'
import { type exitCodes, Failure } from '../lib/failure'

/** How a command ended that threw: one line for people, and the exit code. */
export interface Ending {
  readonly line: string
  readonly exitCode: number
}

/** What to tell of anything that was thrown. */
export function endingOf(cause: unknown): Ending {
  if (cause instanceof Failure) return { line: oneLine(cause.message), exitCode: cause.exitCode }
  const known = knownFailure(cause)
  if (known !== undefined) return { line: oneLine(known.message), exitCode: known.exitCode }
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  // EX_SOFTWARE: nobody foresaw it.
  return { line: oneLine(`unexpected failure: ${why} (--verbose shows where)`), exitCode: 70 }
}

/** The failures that SQLite and the operating system report by a code. */
function knownFailure(cause: unknown): Failure | undefined {
  const fault = storageFault(cause)
  if (fault !== undefined) {
    const [kind, meaning] = ofStorage[fault.problem]
    return new Failure(kind, `${meaning}: ${fault.message}`)
  }
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  return /^(?:EACCES|EPERM)$/.test(String(cause.code))
    ? new Failure('config', `not allowed: ${cause.message}`)
    : undefined
}

const ofStorage = {
  disk_full: ['io', 'the disk is full'],
  io_error: ['io', 'the disk reports an error'],
  moved: ['io', 'the database file is not the one that was opened'],
  damaged: ['data', 'the database is damaged'],
  busy: ['busy', 'another process keeps the database busy; try again'],
  read_only: ['config', 'the database is read-only'],
  cannot_open: ['config', 'the database cannot be used'],
} as const satisfies Readonly<Record<StorageProblem, readonly [keyof typeof exitCodes, string]>>

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim()
