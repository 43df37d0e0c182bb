import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { upgrade } from '../../src/cli/open'
import { takeLock } from '../../src/db/lock'
import { type MigrationState, migrate, migrationState } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { databasePath, openHandle } from '../../src/db/open'
import { takeSnapshot } from '../../src/db/snapshot'
import { Failure } from '../../src/lib/failure'
import { version } from '../../src/version'
import { output, run } from '../support/in-process'
import { type Directory, run as runExecutable, startServer, temporaryDirectory } from '../support/kiroku'

const names = Object.keys(migrations)
const last = names.at(-1) ?? ''
const older = Object.fromEntries(Object.entries(migrations).slice(0, -1))

const namesIn = ({ applied, pending }: MigrationState) => {
  return { applied: applied.map(({ name }) => name), pending: pending.map(({ name }) => name) }
}

/** A data directory as the previous version left it. */
async function madeByOlder(directory: Directory): Promise<void> {
  const handle = openHandle(directory.path)
  await migrate(handle, older)
  handle.run("insert into sources (id, name, priority) values (7, 'kept', 50)")
  handle.close()
}

/** The same, with a dangling reference, so that no copy can be verified. */
async function madeUnsound(directory: Directory): Promise<void> {
  await madeByOlder(directory)
  using handle = new Database(databasePath(directory.path))
  handle.run('pragma foreign_keys = off')
  handle.run("insert into import_rows (source_id, kind, key, hash, local_id) values (99, 'work', 'x', 0, 1)")
}

/** All contents of a database as text. */
function contents(path: string): string {
  using handle = new Database(path, { readonly: true })
  const schema = handle
    .query<{ name: string; type: string; sql: string }, []>(
      'select name, type, sql from sqlite_schema order by name',
    )
    .all()
  const tables = schema.filter(({ type }) => type === 'table')
  return JSON.stringify([schema, tables.map(({ name }) => handle.query(`select * from "${name}"`).all())])
}

test('every file in db/migrations is a migration, numbered in order', () => {
  const files = readdirSync(join(import.meta.dir, '../../db/migrations')).sort()
  expect(files.map((file) => file.replace(/\.sql$/, ''))).toEqual(names)
  expect(names).toEqual(names.toSorted())
  names.forEach((name, index) => {
    expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}_[a-z_]+$`))
  })
})

test('an empty database gets all of them once, and notes its version', async () => {
  const handle = new Database(':memory:')
  expect(namesIn(migrationState(handle))).toEqual({ applied: [], pending: names })
  expect(await migrate(handle)).toEqual(names)
  expect(namesIn(migrationState(handle))).toEqual({ applied: names, pending: [] })
  expect(await migrate(handle)).toEqual([])
  const noted = handle.query("select value from instance where name = 'kiroku_version'").values()
  expect(noted).toEqual([[version]])
})

describe('a failing migration leaves everything unchanged:', () => {
  const broken = {
    'in its first statement': 'select * from nowhere;',
    'after it changed tables':
      'create table half (a); insert into half values (1); alter table works drop column nowhere;',
    'in a constraint': 'insert into sources (id, name, priority) values (8, null, 1);',
  }
  test.each(Object.entries(broken))('%s', async (_, text) => {
    using directory = temporaryDirectory()
    await madeByOlder(directory)
    const before = contents(databasePath(directory.path))
    const handle = openHandle(directory.path)
    const known = { ...migrations, '9999_broken': text }
    expect(migrate(handle, known)).rejects.toThrow(/migration 9999_broken failed, nothing was changed/)
    await migrate(handle, known).catch(() => {})
    handle.close()
    expect(contents(databasePath(directory.path))).toBe(before)
  })
})

test('a kill in the middle leaves the database unchanged, and the next start completes it', async () => {
  using directory = temporaryDirectory()
  await madeByOlder(directory)
  const before = contents(databasePath(directory.path))
  // dies inside the last statement of the last migration
  const program = `
    const { Database } = await import('bun:sqlite')
    const { openHandle } = await import(${JSON.stringify(join(import.meta.dir, '../../src/db/open.ts'))})
    const { migrate } = await import(${JSON.stringify(join(import.meta.dir, '../../src/db/migrate.ts'))})
    const { migrations } = await import(${JSON.stringify(join(import.meta.dir, '../../src/db/migrations.ts'))})
    const handle = openHandle(${JSON.stringify(directory.path)})
    const { exec } = handle
    handle.exec = (sql) => { exec.call(handle, sql); process.kill(process.pid, 'SIGKILL') }
    await migrate(handle, { ...migrations, '9999_more': 'create table more (a)' })`
  const child = Bun.spawn(['bun', '-e', program])
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  expect(contents(databasePath(directory.path))).toBe(before)
  const { applied, snapshot } = await upgrade(directory.path, () => Date.UTC(2024, 1, 29, 12))
  expect(applied).toEqual([last])
  expect(snapshot).toEndWith(`before-${last}-20240229T120000Z.db`)
})

test('a verified copy is made before data is migrated', async () => {
  using directory = temporaryDirectory()
  await madeByOlder(directory)
  const before = contents(databasePath(directory.path))
  const { applied, snapshot } = JSON.parse(
    await output(directory, ['migrate', 'up', '--json', '--data', directory.path]),
  )
  expect(applied).toEqual([last])
  expect(snapshot).toStartWith(join(directory.path, 'backups', `before-${last}-`))
  expect(contents(snapshot)).toBe(before)
  expect(readdirSync(directory.file('backups'))).toHaveLength(1)
  const again = JSON.parse(await output(directory, ['migrate', 'up', '--json', '--data', directory.path]))
  expect(again).toEqual({ version, applied: [], snapshot: null })
})

test('no copy is made of an empty database', async () => {
  using directory = temporaryDirectory()
  expect(await upgrade(directory.path, Date.now)).toEqual({ applied: names, snapshot: undefined })
  expect(readdirSync(directory.path)).not.toContain('backups')
})

test('no migration runs if the copy turns out to be unsound', async () => {
  using directory = temporaryDirectory()
  await madeUnsound(directory)
  const before = contents(databasePath(directory.path))
  const { code, stderr } = await run(directory, ['migrate', 'up', '--data', directory.path])
  expect([code, stderr]).toEqual([74, 'kiroku: no snapshot could be made: its foreign keys do not hold\n'])
  expect(contents(databasePath(directory.path))).toBe(before)
  expect(readdirSync(directory.file('backups'))).toEqual([])
})

test('promise 2: leftovers of a copy by a killed upgrade are removed at the next start, and copies stay', async () => {
  using directory = temporaryDirectory()
  await output(directory, ['migrate', 'up'])
  mkdirSync(directory.file('data/backups'))
  const left = [
    'before-0002.db.partial',
    'before-0002.db.partial-journal',
    'before-0001.db',
    'mine.partial.db',
  ]
  for (const name of left) writeFileSync(directory.file(`data/backups/${name}`), 'x')
  await using _server = await startServer(directory)
  expect(readdirSync(directory.file('data/backups')).sort()).toEqual(['before-0001.db', 'mine.partial.db'])
})

test('a copy that differs from the database never gets its name', () => {
  using directory = temporaryDirectory()
  const handle = openHandle(directory.path)
  handle.run('create table parent (id integer primary key)')
  handle.run('create table child (id integer references parent (id))')
  handle.run('pragma foreign_keys = off')
  handle.run('insert into child values (1)')
  expect(() => takeSnapshot(handle, directory.path, 'bad')).toThrow('its foreign keys do not hold')
  expect(readdirSync(directory.file('backups'))).toEqual([])
  handle.close()
})

test.each([
  ['something else entirely', 'not a database '.repeat(1000)],
  ['cut off', undefined],
])('a damaged database is refused, the file untouched: %s', async (_, text) => {
  using directory = temporaryDirectory()
  await upgrade(directory.path, Date.now)
  const path = databasePath(directory.path)
  writeFileSync(path, text ?? readFileSync(path).subarray(0, 5000))
  const before = readFileSync(path)
  for (const args of [
    ['serve', '--port', '0'],
    ['user', 'list'],
  ]) {
    const { code, stderr } = await run(directory, [...args, '--data', directory.path])
    expect([args, code, stderr]).toEqual([args, 65, expect.stringMatching(/^kiroku: .*\n$/)])
    expect(readFileSync(path).equals(before)).toBe(true)
  }
})

test('another program’s database is refused', async () => {
  using directory = temporaryDirectory()
  const handle = new Database(databasePath(directory.path))
  handle.run('create table notes (text)')
  handle.close()
  const { code, stderr } = await run(directory, ['user', 'list', '--data', directory.path])
  expect([code, stderr]).toEqual([65, expect.stringContaining('is not a kiroku database')])
})

test('an older database is left alone while its server is running', async () => {
  using directory = temporaryDirectory()
  await madeByOlder(directory)
  const before = readFileSync(databasePath(directory.path))
  const lock = takeLock(directory.path)
  const { code, stderr } = await run(directory, ['user', 'list', '--data', directory.path])
  expect([code, stderr]).toEqual([75, expect.stringContaining('stop the server')])
  expect(readFileSync(databasePath(directory.path)).equals(before)).toBe(true)
  lock.release()
  expect(await output(directory, ['user', 'list', '--data', directory.path])).toBe('')
})

test('D56: commands started together on an empty directory all succeed', async () => {
  using directory = temporaryDirectory()
  const all = await Promise.all(
    Array.from({ length: 4 }, () => runExecutable(directory, ['invite', 'create'])),
  )
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(JSON.parse(await output(directory, ['invite', 'list', '--json']))).toHaveLength(4)
})

test('a failing upgrade releases the lock', async () => {
  using directory = temporaryDirectory()
  await madeUnsound(directory)
  expect(upgrade(directory.path, Date.now)).rejects.toThrow(Failure)
  await upgrade(directory.path, Date.now).catch(() => {})
  takeLock(directory.path).release()
})
