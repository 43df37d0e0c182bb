import { Database } from 'bun:sqlite'
import { fileFailure, refuseUnusable } from '../db/file-failure'
import { firstBadFrame } from '../db/health/log-checksums'
import { sizeOf } from '../db/health/main-file'
import { databasePath } from '../db/open'
import { storageFault } from '../db/storage-fault'
import { type ExamineDepth, examine, type Finding } from './examine'

/** Opens the database read-only. If SQLite cannot read it, that is a finding; if it may not, this throws a `Failure`. */
export function examineFile(directory: string, depth: ExamineDepth): readonly Finding[] {
  const path = databasePath(directory)
  // SQLite would delete the write-ahead log of an empty database.
  if (sizeOf(path) === 0) return [{ kind: 'damage', message: `${path} is empty or gone` }]
  refuseUnusable(path, 'read')
  try {
    using handle = new Database(path, { readonly: true })
    for (const pragma of ['busy_timeout = 5000', 'cell_size_check = on']) handle.run(`pragma ${pragma}`)
    const frame = firstBadFrame(path)
    const findings = examine(handle, depth)
    return frame === undefined ? findings : [damagedLog(path, frame), ...findings]
  } catch (cause) {
    if (storageFault(cause)?.problem !== 'damaged') throw fileFailure(path, cause)
    return [{ kind: 'damage', message: `${path}: ${cause instanceof Error ? cause.message : cause}` }]
  }
}

const damagedLog = (path: string, frame: number): Finding => ({
  kind: 'damage',
  message: `${path}-wal: the checksum of frame ${frame} does not hold`,
})
