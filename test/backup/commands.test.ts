import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { openDestination } from '../../src/backup/open-destination'
import { migrate } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { databasePath, openHandle, prepareDirectory } from '../../src/db/open'
import {
  addUser,
  backUp,
  backupsIn,
  copyOf,
  makeInstance,
  pictures,
  picturesIn,
  refusal,
  usersIn,
} from '../support/backups'
import { output, run } from '../support/in-process'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'

const model = temporaryDirectory()
let directory: Directory
let data: string
beforeAll(() => makeInstance(model))
afterAll(() => model[Symbol.dispose]())
beforeEach(() => {
  directory = copyOf(model)
  data = directory.file('data')
})
afterEach(() => directory[Symbol.dispose]())

const listed = async (...args: string[]) =>
  JSON.parse(await output(directory, ['backup', 'list', '--json', ...args]))
const inBackups = (name: string) => join(data, 'backups', name)

test('a backup can be made, listed and verified, and moves the instance to another place', async () => {
  const name = await backUp(directory)
  expect(name).toMatch(/^kiroku-\d{8}T\d{6}Z\.tar\.zst$/)
  expect(statSync(inBackups(name)).mode & 0o777).toBe(0o600)
  const [backup] = await listed()
  expect(backup).toMatchObject({
    name,
    kind: 'backup',
    bytes: statSync(inBackups(name)).size,
    kiroku_version: '0.1.0',
  })
  expect(Date.parse(backup.verified_at)).toBeGreaterThanOrEqual(Date.parse(backup.made_at))
  expect(await output(directory, ['backup', 'verify'])).toBe(`ok  ${name}\n`)
  const other = directory.file('other')
  const told = await output(directory, ['backup', 'restore', inBackups(name), '--data', other])
  expect(told).toContain(`restored ${inBackups(name)} to ${other}, as of `)
  expect([usersIn(other), picturesIn(other)]).toEqual([['mio'], pictures])
  expect(await output(directory, ['check', '--deep', '--data', other])).toBe('ok\n')
  expect(existsSync(`${databasePath(other)}-wal`)).toBe(false)
})

test('a restore replaces everything, keeps what was replaced, and leaves backups and settings alone', async () => {
  const name = await backUp(directory)
  await addUser(directory, 'ritsu')
  writeFileSync(join(data, 'images', pictures[0] ?? ''), 'changed since')
  writeFileSync(join(data, 'kiroku.toml'), 'port = 3999\n')
  writeFileSync(`${databasePath(data)}-wal`, 'a stale log')
  writeFileSync(`${databasePath(data)}-journal`, 'a stale journal')
  const { old } = JSON.parse(await output(directory, ['backup', 'restore', name, '--json']))
  expect([usersIn(data), picturesIn(data), backupsIn(data)]).toEqual([['mio'], pictures, [name]])
  expect(readFileSync(join(data, 'kiroku.toml'), 'utf8')).toBe('port = 3999\n')
  expect(existsSync(`${databasePath(data)}-wal`) || existsSync(`${databasePath(data)}-journal`)).toBe(false)
  expect(old).toMatch(/before-restore-\d{8}T\d{6}Z$/)
  expect(picturesIn(join(directory.path, old))).toEqual(pictures.slice(1))
  expect(readFileSync(join(directory.path, old, 'kiroku.db-wal'), 'utf8')).toBe('a stale log')
  await using server = await startServer(directory)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('a restore can be reverted with the database that it replaced, including its log and pictures', async () => {
  const name = await backUp(directory)
  await addUser(directory, 'ritsu')
  using held = new Database(databasePath(data))
  held.run('pragma wal_autocheckpoint = 0')
  await addUser(directory, 'azusa')
  writeFileSync(join(data, 'images', pictures[0] ?? ''), 'changed since')
  const { old } = JSON.parse(await output(directory, ['backup', 'restore', name, '--json']))
  expect([usersIn(data), picturesIn(data)]).toEqual([['mio'], pictures])
  await output(directory, ['backup', 'restore', join(old, 'kiroku.db')])
  expect([usersIn(data), picturesIn(data)]).toEqual([['mio', 'ritsu', 'azusa'], pictures.slice(1)])
  expect(await output(directory, ['check'])).toBe('ok\n')
})

test('while a server is running, a restore is refused with 75, but a backup can be made', async () => {
  const name = await backUp(directory)
  await using _server = await startServer(directory)
  expect(await refusal(directory, 'backup', 'restore', name)).toEqual([
    75,
    'kiroku: another kiroku is running on the data directory ./data: stop the server, then run this again',
  ])
  expect((await run(directory, ['backup', 'create'])).code).toBe(0)
})

test('a damaged backup is reported, listed and not restored, and changes nothing', async () => {
  const name = await backUp(directory)
  truncateSync(inBackups(name), 3000)
  const [code, line] = await refusal(directory, 'backup', 'restore', name)
  expect([code, line]).toEqual([
    65,
    expect.stringContaining(`kiroku: ${name} is not restored: it cannot be read completely`),
  ])
  const { code: verified, stdout } = await run(directory, ['backup', 'verify', 'all'])
  expect([verified, stdout]).toEqual([
    65,
    expect.stringContaining(`DAMAGED  ${name}: it cannot be read completely`),
  ])
  expect(await listed()).toMatchObject([
    { name, verified_at: null, damage: expect.stringContaining('cannot be read') },
  ])
  expect(await output(directory, ['backup', 'list'])).toContain('DAMAGED: ')
  expect([usersIn(data), backupsIn(data)]).toEqual([['mio'], [name]])
})

test('a damaged database cannot be backed up', async () => {
  using handle = new Database(databasePath(data))
  handle.run('pragma wal_checkpoint(truncate)')
  handle.run('pragma foreign_keys = off')
  handle.run("insert into import_rows values (99, 'work', 'x', 0, 1)")
  expect(await refusal(directory, 'backup', 'create')).toEqual([
    65,
    'kiroku: no backup is made of a damaged database (its foreign keys do not hold): run kiroku check for details',
  ])
  expect(backupsIn(data)).toEqual([])
})

test('a backup of a newer kiroku is refused, and so is any other file', async () => {
  using handle = new Database(databasePath(data))
  handle.run("insert into kysely_migration values ('9999_future', '2026-01-01')")
  handle.run("update instance set value = '9.9.9' where name = 'kiroku_version'")
  handle.run('pragma wal_checkpoint(truncate)')
  const [code, line] = await refusal(
    directory,
    'backup',
    'restore',
    databasePath(data),
    '--data',
    directory.file('new'),
  )
  expect([code, line]).toEqual([65, expect.stringContaining('kiroku 9.9.9 (migration 9999_future)')])
  writeFileSync(directory.file('letter'), 'Dear operator')
  expect(await refusal(directory, 'backup', 'restore', 'letter', '--data', directory.file('new'))).toEqual([
    65,
    'kiroku: letter is not restored: it is neither a backup nor a database',
  ])
  expect(existsSync(databasePath(directory.file('new')))).toBe(false)
})

test('a copy from before an upgrade can be restored by name, and the pictures stay', async () => {
  const name = 'before-0099_x-20260401T120000Z.db'
  mkdirSync(join(data, 'backups'))
  using handle = new Database(databasePath(data))
  handle.run('vacuum into ?', [inBackups(name)])
  handle.close()
  await addUser(directory, 'ritsu')
  expect(await output(directory, ['backup', 'restore', name])).toContain(`restored ${name} to ./data`)
  expect([usersIn(data), picturesIn(data)]).toEqual([['mio'], pictures])
  expect(await listed()).toMatchObject([{ name, kind: 'snapshot', kiroku_version: null, verified_at: null }])
})

test('a backup goes to a file, to a directory, or to --backup-to; all are listed in their places', async () => {
  mkdirSync(directory.file('usb'))
  await output(directory, ['backup', 'create', '--to', 'moving.tar.zst'])
  expect(statSync(directory.file('moving.tar.zst')).size).toBeGreaterThan(1000)
  const name = await backUp(directory, '--to', 'usb')
  expect(existsSync(directory.file(`usb/${name}`))).toBe(true)
  expect([await listed(), backupsIn(data)]).toEqual([[], []])
  expect(await listed('--backup-to', 'usb')).toMatchObject([
    { name, kiroku_version: '0.1.0', verified_at: null },
  ])
  await output(directory, ['backup', 'verify', name, '--backup-to', 'usb'])
  expect(await listed('--backup-to', 'usb')).toMatchObject([{ name, verified_at: expect.any(String) }])
  await output(directory, ['backup', 'restore', name, '--backup-to', 'usb', '--data', directory.file('new')])
  expect(usersIn(directory.file('new'))).toEqual(['mio'])
})

test('verify takes a file, wherever it is, and says whether it is sound', async () => {
  mkdirSync(directory.file('usb'))
  const name = await backUp(directory, '--to', 'usb')
  for (const path of [`usb/${name}`, directory.file(`usb/${name}`), `./usb/${name}`])
    expect(await output(directory, ['backup', 'verify', path])).toBe(`ok  ${name}\n`)
  truncateSync(directory.file(`usb/${name}`), 1000)
  expect((await refusal(directory, 'backup', 'verify', `usb/${name}`))[0]).toBe(65)
  expect(existsSync(inBackups('notes.json'))).toBe(false)
  expect((await refusal(directory, 'backup', 'verify', 'usb/nothing'))[0]).toBe(66)
})

test('what a killed backup left in another directory is removed by the next one there, and no one else’s', async () => {
  const usb = directory.file('usb')
  mkdirSync(usb)
  writeFileSync(directory.file('file'), 'whole')
  // A killed `put` of this instance, and one that another instance is still writing.
  const put = (of: string, name: string) => openDestination(of, usb).put(name, directory.file('file'))
  const partials = () => readdirSync(usb).filter((name) => name.endsWith('.partial'))
  const [own, other] = ['mine', 'other'].map((of) => join(usb, partialName(of)))
  for (const path of [own, other]) writeFileSync(path ?? '', 'half')
  await put('mine', 'y')
  expect([partials(), readFileSync(join(usb, 'y'), 'utf8')]).toEqual([[partialName('other')], 'whole'])
})

const partialName = (data: string) =>
  `.kiroku-${new Bun.CryptoHasher('sha256').update(resolve(data)).digest('hex').slice(0, 12)}.partial`

test('a backup waits while a restarted server recovers its log', async () => {
  const script = `
    const handle = new (require('bun:sqlite').Database)(${JSON.stringify(databasePath(data))})
    handle.run('pragma locking_mode = exclusive')
    handle.run('begin exclusive')
    console.log('held')
    setTimeout(() => process.exit(0), 700)`
  const holder = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  await holder.stdout.getReader().read()
  await backUp(directory)
  expect(await holder.exited).toBe(0)
})

test('a file that is not a backup is named, with advice', async () => {
  const none = directory.file('none')
  expect(await refusal(directory, 'backup', 'create', '--data', none)).toEqual([
    66,
    expect.stringContaining('no database'),
  ])
  expect(await refusal(directory, 'backup', 'verify')).toEqual([
    66,
    `kiroku: there is no backup in ${join(data, 'backups')}`,
  ])
  const name = 'kiroku-20260401T120000Z.tar.zst'
  const missing = [66, expect.stringContaining(`there is no backup ${name} in`)] as [number, string]
  expect(await refusal(directory, 'backup', 'verify', name)).toEqual(missing)
  expect(await refusal(directory, 'backup', 'restore', name)).toEqual(missing)
  expect(await refusal(directory, 'backup', 'restore', 'nothing')).toEqual([
    66,
    'kiroku: there is no file nothing; kiroku backup list shows the backups',
  ])
  expect((await refusal(directory, 'backup', 'create', '--to', 'no/such/file'))[0]).toBe(66)
  expect((await refusal(directory, 'backup', 'prune', '--backup-keep', 'all'))[0]).toBe(64)
})

test('prune removes what the rule does not keep, and its notes', async () => {
  const name = await backUp(directory)
  const older = 'kiroku-20260401T120000Z.tar.zst'
  const oldest = 'kiroku-20260331T120000Z.tar.zst'
  for (const copy of [older, oldest]) writeFileSync(inBackups(copy), readFileSync(inBackups(name)))
  await output(directory, ['backup', 'verify', 'all'])
  const kept = await output(directory, ['backup', 'prune', '--backup-keep', '2d'])
  expect(kept).toBe(`removed  ${oldest}\n2 backups are kept\n`)
  expect(backupsIn(data)).toEqual([older, name])
  expect(readFileSync(inBackups('notes.json'), 'utf8')).not.toContain(oldest)
})

test('a backup whose database does not match its manifest is refused', async () => {
  const name = await backUp(directory)
  const place = directory.file('unpacked')
  mkdirSync(place)
  writeFileSync(directory.file('made.tar'), Bun.zstdDecompressSync(readFileSync(inBackups(name))))
  const changes = [
    `tar -xf ../made.tar`,
    `sed -i 's/"users": 1/"users": 2/' manifest.json`,
    `sed -i "/manifest.json/s/^[0-9a-f]*/$(sha256sum manifest.json | cut -c1-64)/" SHA256SUMS`,
    'tar -cf ../changed.tar manifest.json kiroku.db images/*/* SHA256SUMS',
  ]
  expect(Bun.spawnSync(['sh', '-ec', changes.join('\n')], { cwd: place }).exitCode).toBe(0)
  writeFileSync(directory.file('changed'), Bun.zstdCompressSync(readFileSync(directory.file('changed.tar'))))
  expect(await refusal(directory, 'backup', 'restore', 'changed')).toEqual([
    65,
    'kiroku: changed is not restored: its database does not match its manifest.json',
  ])
})

test('a backup of an older kiroku is restored, and upgraded by the next start', async () => {
  const old = directory.file('old')
  prepareDirectory(old)
  const handle = openHandle(old)
  await migrate(handle, Object.fromEntries(Object.entries(migrations).slice(0, 3)))
  handle.run("insert into instance (name, value) values ('marker', 'of old')")
  handle.close()
  await output(directory, ['backup', 'create', '--data', old, '--to', 'old.tar.zst'])
  await output(directory, ['backup', 'restore', 'old.tar.zst'])
  const { pending } = JSON.parse(await output(directory, ['migrate', 'status', '--json']))
  expect(pending.length).toBe(Object.keys(migrations).length - 3)
  await using server = await startServer(directory)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  using restored = new Database(databasePath(data), { readonly: true })
  expect(restored.query("select value from instance where name = 'marker'").values()).toEqual([['of old']])
})
