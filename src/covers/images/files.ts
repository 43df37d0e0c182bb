import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Encoded } from './encode'

const imagesDirectory = (data: string): string => join(data, 'images')

export const filePath = (data: string, hash: string, width: number): string =>
  join(imagesDirectory(data), hash.slice(0, 2), `${hash}-${width}.webp`)

/** On disk when it returns: each file has its name only once it is whole. Throws the file system's error. */
export function writeFiles(data: string, { hash, files }: Encoded): void {
  for (const { width, bytes } of files) {
    const path = filePath(data, hash, width)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${process.pid}.new`
    try {
      writeWhole(temporary, bytes)
      renameSync(temporary, path)
    } catch (cause) {
      rmSync(temporary, { force: true })
      throw cause
    }
  }
  syncDirectory(dirname(filePath(data, hash, 0)))
}

function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

export interface StoredFile {
  readonly path: string
  /** '' for a file that is no picture's, such as a temporary one. */
  readonly hash: string
  /** Epoch milliseconds. */
  readonly changedAt: number
}

/** Every file below `images`; none where there is no such directory. */
export async function* storedFiles(data: string): AsyncGenerator<StoredFile> {
  const directory = imagesDirectory(data)
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names) {
    const path = join(directory, name)
    const known = await stat(path).catch(() => undefined)
    if (known?.isFile() !== true) continue
    const [, hash = ''] = /(?:^|\/)([0-9a-f]{32})-[0-9]+\.webp$/.exec(name) ?? []
    yield { path, hash, changedAt: known.mtimeMs }
  }
}
