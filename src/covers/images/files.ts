import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFile } from '../../lib/sync-file'
import { type Encoded, shapes, sharePicture } from './encode'

const imagesDirectory = (data: string): string => join(data, 'images')

export const filePath = (data: string, hash: string, width: number, format = 'webp'): string =>
  join(imagesDirectory(data), hash.slice(0, 2), `${hash}-${width}.${format}`)

/** That of a shared year. */
export const sharePicturePath = (data: string, hash: string): string =>
  filePath(data, hash, sharePicture.width, 'png')

/** Of every width that a picture may have. */
export const filePaths = (data: string, hash: string): readonly string[] => [
  ...Object.values(shapes).flatMap(({ widths }) => widths.map((width) => filePath(data, hash, width))),
  sharePicturePath(data, hash),
]

/** What a picture takes up, in bytes. */
export const sizeOf = (data: string, hash: string): number =>
  filePaths(data, hash).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

/** The files are on disk when it returns; each gets its name only when complete. Throws the file system's error. */
export function writeFiles(data: string, { hash, files }: Pick<Encoded, 'hash' | 'files'>): void {
  for (const { width, bytes, format } of files) {
    const path = filePath(data, hash, width, format)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${process.pid}.new`
    try {
      writeFileSync(temporary, bytes, { mode: 0o600 })
      syncFile(temporary)
      renameSync(temporary, path)
    } catch (cause) {
      rmSync(temporary, { force: true })
      throw cause
    }
  }
  syncFile(dirname(filePath(data, hash, 0)))
}

export interface StoredFile {
  readonly path: string
  /** '' for a file that does not belong to a picture, such as a temporary one. */
  readonly hash: string
  /** Epoch milliseconds. */
  readonly changedAt: number
  /** In bytes. */
  readonly size: number
}

/** Every file below `images`; none if there is no such directory. */
export async function* storedFiles(data: string): AsyncGenerator<StoredFile> {
  const directory = imagesDirectory(data)
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names) {
    const path = join(directory, name)
    const known = await stat(path).catch(() => undefined)
    if (known?.isFile() !== true) continue
    const [, hash = ''] = /(?:^|\/)([0-9a-f]{32})-[0-9]+\.(?:webp|png)$/.exec(name) ?? []
    yield { path, hash, changedAt: known.mtimeMs, size: known.size }
  }
}
