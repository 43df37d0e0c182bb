import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createUser } from '../../src/accounts/account/user'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { openUpgraded } from '../../src/cli/open'
import { databasePath, type Store } from '../../src/db/open'
import { bytesOf, episode, header, textOf, work } from './catalogue-store'
import { openCopy } from './database-copy'
import { output, run } from './in-process'
import { cheapPasswords } from './instance'
import { type Directory, temporaryDirectory } from './kiroku'

const catalogue = textOf(header('annict'), [work('annict:1'), episode('annict:1', 'annict:1', 1)])

/** File names below `images`, in kiroku's format. */
export const pictures = [`ab/${'ab'.repeat(16)}-320.webp`, `cd/${'cd'.repeat(16)}-640.webp`]

/** An instance in `data` with the user `mio` and two pictures. */
export async function makeInstance(directory: Directory, data = directory.file('data')): Promise<void> {
  mkdirSync(data, { mode: 0o700 })
  const handle = await openCopy(data, seed)
  handle.close()
  for (const name of pictures) {
    mkdirSync(dirname(join(data, 'images', name)), { recursive: true })
    writeFileSync(join(data, 'images', name), `the bytes of ${name}`)
  }
}

async function seed(store: Store): Promise<void> {
  await importCatalogue(store, bytesOf(catalogue), { now: Date.now() })
  await makeUser(store, 'mio')
}

/** A new directory with the same instance in `data`. */
export function copyOf(model: Directory): Directory {
  const directory = temporaryDirectory()
  cpSync(model.file('data'), directory.file('data'), { recursive: true })
  return directory
}

export async function addUser(directory: Directory, name: string, data = directory.file('data')) {
  const store = openUpgraded(data)
  await makeUser(store, name)
  await store.close()
}

const makeUser = ({ write }: Store, username: string) =>
  createUser(
    { write, now: Date.now, passwordCost: cheapPasswords },
    { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false },
  )

/** The users in the database of a data directory. */
export function usersIn(data: string): string[] {
  using handle = new Database(databasePath(data), { readonly: true })
  return handle
    .query<{ username: string }, []>('select username from users order by id')
    .all()
    .map((row) => row.username)
}

export const picturesIn = (data: string): string[] =>
  existsSync(join(data, 'images'))
    ? readdirSync(join(data, 'images'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.webp'))
        .filter((name) => readFileSync(join(data, 'images', name), 'utf8') === `the bytes of ${name}`)
        .sort()
    : []

/** Makes a backup and returns its name. */
export async function backUp(directory: Directory, ...args: string[]): Promise<string> {
  return JSON.parse(await output(directory, ['backup', 'create', '--json', ...args])).name
}

export const backupsIn = (data: string): string[] =>
  readdirSync(join(data, 'backups'))
    .filter((name) => name !== 'notes.json')
    .sort()

/** The exit code and the line that says why. */
export async function refusal(directory: Directory, ...args: string[]): Promise<[number, string]> {
  const { code, stderr } = await run(directory, args)
  return [code, stderr.trim()]
}
