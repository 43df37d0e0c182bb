import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFile } from '../lib/sync-file'

/** Either the whole file exists, synced and readable only by its owner, or nothing. */
export async function writeWhole(path: string, write: (out: FileHandle) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`
  try {
    const out = await open(partial, 'w', 0o600)
    try {
      await write(out)
      await out.sync()
    } finally {
      await out.close()
    }
    await rename(partial, path)
    syncFile(dirname(path))
  } finally {
    await rm(partial, { force: true })
  }
}
