import { chmodSync, mkdirSync } from 'node:fs'
import { databasePath } from '../../src/db/open'
import { openCopy, type Seed } from './database-copy'
import { type Directory, temporaryDirectory } from './kiroku'

/** A directory with a fully migrated database, for tests that are not about its creation. */
export async function preparedDirectory(seed?: Seed): Promise<Directory> {
  const directory = temporaryDirectory()
  await fillData(directory, seed)
  return directory
}

/** Creates the default data directory with a database. */
export async function fillData(directory: Directory, seed?: Seed): Promise<void> {
  const data = directory.file('data')
  mkdirSync(data, { mode: 0o700 })
  const handle = await openCopy(data, seed)
  handle.close()
  chmodSync(databasePath(data), 0o600)
}
