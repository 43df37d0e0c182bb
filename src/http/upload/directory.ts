import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../../deps'

const directoryOf = (data: string): string => join(data, 'uploads')

/** Of a new file, in a directory that is there now. */
export function newUploadPath({ config, random }: Pick<Deps, 'config' | 'random'>): string {
  const directory = directoryOf(config.data)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return join(directory, random(12).toHex())
}

/** What a server that was killed had received: at the start of the next one. */
export function clearUploads(data: string): void {
  rmSync(directoryOf(data), { recursive: true, force: true })
}
