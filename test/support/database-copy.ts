import type { Database } from 'bun:sqlite'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate'
import { databasePath, openHandle, openStore, type Store } from '../../src/db/open'

/** Fills the database that a test starts with. */
export type Seed = (store: Store) => Promise<void>

/** Opens a new database in a directory. It is migrated once per process, and seeded once per seed, then copied. */
export async function openCopy(directory: string, seed: Seed = nothing): Promise<Database> {
  const content = contents.get(seed) ?? contentOf(seed)
  contents.set(seed, content)
  writeFileSync(databasePath(directory), await content)
  return openHandle(directory)
}

const nothing: Seed = async () => {}

const contents = new WeakMap<Seed, Promise<Uint8Array>>()

async function contentOf(seed: Seed): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'kiroku-seed-'))
  const handle = seed === nothing ? openHandle(directory) : await openCopy(directory)
  handle.run('pragma synchronous = off')
  if (seed === nothing) await migrate(handle)
  const store = openStore(directory, handle)
  try {
    await seed(store)
    return handle.serialize()
  } finally {
    await store.close()
    rmSync(directory, { recursive: true })
  }
}

/** A copy of a data directory's database with the user `mio`. */
export async function openFrom(directory: string, data: string): Promise<Database> {
  copyFileSync(databasePath(data), databasePath(directory))
  const handle = openHandle(directory)
  await migrate(handle)
  handle.run(
    `insert into users (username, username_key, name, email, email_key, password_hash, created_at)
     values ('mio', 'mio', '', 'mio@example.com', 'mio@example.com', 'none', 1)`,
  )
  return handle
}
