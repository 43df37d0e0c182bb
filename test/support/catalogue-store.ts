import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import type { CatalogueImportOptions } from '../../src/catalogue/import/import-options'
import type { ImportReport } from '../../src/catalogue/import/report'
import { databasePath, openHandle, openStore, type Store } from '../../src/db/open'
import { openCopy, type Seed } from './database-copy'

export const now = Date.parse('2024-03-01T00:00:00Z')

/** A migrated database in its own directory, and what tests do with it. */
export interface CatalogueStore {
  readonly handle: Database
  readonly read: Store['read']
  readonly write: Store['write']
  readonly directory: string
  /** Imports rows under a header with this name, or under a complete header. */
  load(
    header: string | object,
    rows: readonly object[],
    options?: Partial<CatalogueImportOptions>,
  ): Promise<ImportReport>
  rows<T = Record<string, unknown>>(sql: string, ...values: SQLQueryBindings[]): T[]
  /** The only row of a query. */
  row<T = Record<string, unknown>>(sql: string, ...values: SQLQueryBindings[]): T
  close(): void
}

/** A new one, or a copy of another one, of a seeded one, or of a data directory. */
export async function catalogueStore(original?: CatalogueStore | Seed | string): Promise<CatalogueStore> {
  const directory = mkdtempSync(join(tmpdir(), 'kiroku-test-'))
  const handle = await openSame(directory, original)
  // Nothing here has to survive a power cut.
  handle.run('pragma synchronous = off')
  const store = openStore(directory, handle)
  const rows = <T>(sql: string, ...values: SQLQueryBindings[]) =>
    handle.query<T, SQLQueryBindings[]>(sql).all(...values)
  return {
    handle,
    read: store.read,
    write: store.write,
    directory,
    load: (header, lines, options) =>
      importCatalogue(store, bytesOf(textOf(header, lines)), { now, ...options }),
    rows,
    row: <T>(sql: string, ...values: SQLQueryBindings[]) => {
      const [found, another] = rows<T>(sql, ...values)
      if (found === undefined || another !== undefined) throw new Error(`not one row: ${sql}`)
      return found
    },
    close: () => {
      handle.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function openSame(directory: string, original?: CatalogueStore | Seed | string): Promise<Database> {
  if (original === undefined || typeof original === 'function') return await openCopy(directory, original)
  if (typeof original === 'string') copyFileSync(databasePath(original), databasePath(directory))
  else writeFileSync(databasePath(directory), original.handle.serialize())
  return openHandle(directory)
}

/** A header with this name and further fields. */
export const header = (name: string, more: object = {}) => ({
  type: 'catalogue',
  version: 1,
  name,
  mode: 'upsert',
  preserve_ids: ['annict'],
  ...more,
})

export const textOf = (head: string | object, rows: readonly object[]) =>
  [typeof head === 'string' ? header(head) : head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')

/** The bytes of a text or file in pieces of a few bytes, so that lines and characters are split anywhere. */
export async function* bytesOf(content: string | Uint8Array, piece = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (let start = 0; start < bytes.length; start += piece) yield bytes.slice(start, start + piece)
}

/** A work of a made-up pack. */
export const work = (key: string, more: object = {}) => ({
  type: 'work',
  key,
  title: `Work ${key}`,
  media: 'tv',
  ...more,
})

export const episode = (key: string, of: string, number: number, more: object = {}) => ({
  type: 'episode',
  key,
  work: of,
  number: String(number),
  number_text: `第${number}話`,
  sort_number: number * 10,
  ...more,
})

/** A catalogue of a hundred works with twelve broadcast episodes each. */
export const hundredWorks = () =>
  textOf(
    'mine',
    Array.from({ length: 100 }, (_, n) => [
      work(`w:${n}`, { broadcast: { begin: '2020-04-01T15:00:00Z', interval: 'P7D' } }),
      ...Array.from({ length: 12 }, (_, k) => episode(`w:${n}-${k}`, `w:${n}`, k + 1)),
    ]).flat(),
  )
