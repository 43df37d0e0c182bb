import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A database of each released version, and the digests of its migrations, created by `scripts/release-database.ts`. */
export const releasedFolder = join(import.meta.dir, '../db/released')

export interface Released {
  readonly version: string
  /** Hex SHA-256 of each migration by name. */
  readonly digests: Readonly<Record<string, string>>
  database(): Uint8Array<ArrayBuffer>
}

export const released: readonly Released[] = readdirSync(releasedFolder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => {
    const version = name.slice(0, -'.json'.length)
    return {
      version,
      digests: JSON.parse(readFileSync(join(releasedFolder, name), 'utf8')),
      database: () =>
        new Uint8Array(Bun.zstdDecompressSync(readFileSync(join(releasedFolder, `${version}.db.zst`)))),
    }
  })

/** The "random" bytes of the token in these databases, which belongs to their first user. */
export const tokenOfReleased = (length: number) => new Uint8Array(length).fill(7)
