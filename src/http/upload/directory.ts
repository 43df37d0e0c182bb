import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../../deps'

const directoryOf = (data: string): string => join(data, 'uploads')

export function uploadDirectory({ config }: Pick<Deps, 'config'>): string {
  const directory = directoryOf(config.data)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

export const newUploadPath = (deps: Pick<Deps, 'config' | 'random'>): string =>
  join(uploadDirectory(deps), deps.random(12).toHex())

/** Called at start: deletes what a server that was killed had received. */
export function clearUploads(data: string): void {
  rmSync(directoryOf(data), { recursive: true, force: true })
}
