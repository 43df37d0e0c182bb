import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { takeBackupLock, takePatiently } from '../db/lock'
import { prepareDirectory } from '../db/open'
import { backupsDirectory } from './notes'

/** How long to wait while another backup is running, and what to do before waiting. */
export interface Patience {
  readonly ms: number
  onWait(): void
}

/** Gives `use` a directory in `backups/` that is removed afterwards. Only one at a time: throws a `busy` failure. */
export async function withWorkPlace<T>(
  data: string,
  use: (work: string) => Promise<T>,
  { ms, onWait }: Patience = { ms: 0, onWait: () => {} },
): Promise<T> {
  prepareDirectory(data)
  const lock = await takePatiently(() => takeBackupLock(data), ms, onWait)
  const work = join(backupsDirectory(data), 'work.partial')
  try {
    removeLeftovers(backupsDirectory(data))
    mkdirSync(work, { recursive: true, mode: 0o700 })
    return await use(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
    lock.release()
  }
}

/** Pre-migration copies are made, and their leftovers removed, under another lock. */
function removeLeftovers(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory).filter((name) => /^(?!before-).*\.partial$/.test(name)))
    rmSync(join(directory, name), { recursive: true, force: true })
}
