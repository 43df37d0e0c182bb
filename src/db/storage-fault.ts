import { type exitCodes, Failure } from '../lib/failure'

export const storageProblems = {
  disk_full: 'The disk is full.',
  io_error: 'The disk reports an error.',
  read_only: 'The database is read-only.',
  cannot_open: 'The database cannot be opened.',
  busy: 'The database is busy.',
  moved: 'The database file was moved, deleted or replaced.',
  damaged: 'The database is damaged.',
} as const

export type StorageProblem = keyof typeof storageProblems

/** `message` is for the operator; clients never see it. */
export class StorageFault extends Error {
  constructor(
    readonly problem: StorageProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'StorageFault'
  }
}

/** The fault that an error code of SQLite or the operating system means; undefined for anything else. */
export function storageFault(cause: unknown): StorageFault | undefined {
  if (cause instanceof StorageFault) return cause
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const code = String(cause.code)
  const known = codes.find(([pattern]) => pattern.test(code))
  return known && new StorageFault(known[1], `${cause.message} (${code})`, { cause })
}

// https://sqlite.org/rescode.html; the first match counts.
const codes = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/, 'disk_full'],
  [/^(?:SQLITE_IOERR.*|EIO|EFBIG)$/, 'io_error'],
  [/^SQLITE_READONLY_DBMOVED$/, 'moved'],
  [/^(?:SQLITE_READONLY.*|EROFS)$/, 'read_only'],
  [/^SQLITE_(?:CANTOPEN|PERM)/, 'cannot_open'],
  [/^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/, 'busy'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'damaged'],
] as const

export const afterDamage = 'kiroku doctor tells more, kiroku backup restore puts a backup in its place'

export function storageFailure({ problem, message }: StorageFault): Failure {
  const { kind, meaning } = commandFailures[problem]
  const remedy = problem === 'damaged' ? `; ${afterDamage}` : ''
  return new Failure(kind, `${meaning}: ${message}${remedy}`)
}

export const commandFailures = {
  disk_full: { kind: 'io', meaning: 'the disk is full' },
  io_error: { kind: 'io', meaning: 'the disk reports an error' },
  moved: { kind: 'io', meaning: 'the database file was replaced since it was opened' },
  damaged: { kind: 'data', meaning: 'the database is damaged' },
  busy: { kind: 'busy', meaning: 'another process keeps the database locked; try again' },
  read_only: { kind: 'config', meaning: 'the database is read-only' },
  cannot_open: { kind: 'config', meaning: 'the database cannot be used' },
} as const satisfies Readonly<Record<StorageProblem, { kind: keyof typeof exitCodes; meaning: string }>>
