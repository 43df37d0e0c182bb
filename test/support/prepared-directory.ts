import { chmodSync, mkdirSync } from 'node:fs'
import { databasePath } from '../../src/db/open'
import { openCopy, type Seed } from './database-copy'
import { type Directory, temporaryDirectory } from './kiroku'

/** One with a database that has nothing to migrate, for tests that are not about its beginning. */
export async function preparedDirectory(seed?: Seed): Promise<Directory> {
  const directory = temporaryDirectory()
  await fillData(directory, seed)
  return directory
}

/** Makes the default data directory, with a database. */
export async function fillData(directory: Directory, seed?: Seed): Promise<void> {
  const data = directory.file('data')
  mkdirSync(data, { mode: 0o700 })
  const handle = await openCopy(data, seed)
  handle.close()
  chmodSync(databasePath(data), 0o600)
}
