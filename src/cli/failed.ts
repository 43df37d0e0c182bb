import { WriterBusy } from '../db/write'
import { Failure } from '../lib/failure'

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
  if (cause instanceof WriterBusy)
    return new Failure('busy', 'another process keeps the database busy; try again')
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const code = String(cause.code)
  const kind = kinds.find(([pattern]) => pattern.test(code))
  return kind === undefined ? undefined : new Failure(kind[1], `${kind[2]}: ${cause.message}`)
}

const kinds = [
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'data', 'the database is damaged'],
  [/^SQLITE_(?:FULL|IOERR)/, 'io', 'the disk fails or is full'],
  [/^(?:ENOSPC|EDQUOT|EIO)$/, 'io', 'the disk fails or is full'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy', 'another process keeps the database busy; try again'],
  [/^SQLITE_(?:CANTOPEN|READONLY|PERM)/, 'config', 'the database cannot be used'],
  [/^(?:EACCES|EPERM|EROFS)$/, 'config', 'not allowed'],
] as const

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim()
