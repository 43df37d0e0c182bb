import type { Database } from 'bun:sqlite'

/** Copies the log into the database, syncs that and empties the log; returns whether it could. */
export function checkpoint(handle: Database): boolean {
  try {
    const [row] = handle.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').all()
    return row?.busy === 0
  } catch {
    return false
  }
}
