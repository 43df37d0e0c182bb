import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { encryptFile } from '../../src/backup/encryption/encrypted-destination'
import { lastBackup } from '../../src/backup/last-backup'
import { backupName } from '../../src/backup/names'
import { changeNotes } from '../../src/backup/notes'
import { newestRestoreCommand } from '../../src/backup/way-back'
import { migrate } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { databasePath, openHandle, prepareDirectory } from '../../src/db/open'
import { addUser, backUp, copyOf, makeInstance, refusal, usersIn } from '../support/backups'
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

/** Runs the `kiroku backup restore` that a message says to type. */
async function obey(message: string): Promise<string> {
  const [, words = ''] = /kiroku (backup restore [\w./~-]+(?: --data [\w./-]+)?)/.exec(message) ?? []
  return await output(directory, words.split(' '))
}

const last = Object.keys(migrations).at(-1) ?? ''

async function madeByOlder(path: string): Promise<void> {
  prepareDirectory(path)
  const handle = openHandle(path)
  await migrate(handle, Object.fromEntries(Object.entries(migrations).slice(0, -1)))
  handle.run("insert into instance (name, value) values ('marker', 'of old')")
  handle.close()
}

test.each(['deleted', 'emptied'])(
  'a start with a %s database tells the command that restores all',
  async (how) => {
    await backUp(directory)
    await addUser(directory, 'ritsu')
    await backUp(directory, '--json')
    for (const suffix of ['-wal', '-shm']) rmSync(databasePath(data) + suffix, { force: true })
    if (how === 'deleted') rmSync(databasePath(data))
    else truncateSync(databasePath(data))
    const [code, line] = await refusal(directory, 'serve', '--port', '0')
    expect([code, line]).toEqual([
      65,
      expect.stringMatching(/restore the newest backup: kiroku backup restore kiroku-/),
    ])
    const { stdout } = await run(directory, ['doctor'])
    expect(stdout).not.toContain('--salvage')
    const [, asked] = await refusal(directory, 'backup', 'restore')
    expect(asked).toContain('the newest backup: kiroku backup restore kiroku-')
    await obey(line)
    expect(usersIn(data)).toEqual(['mio', 'ritsu'])
    await using server = await startServer(directory)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  },
)

test('without a name and without a backup, restore says that there is none', async () => {
  expect(await refusal(directory, 'backup', 'restore')).toEqual([
    64,
    'kiroku: NAME or FILE is missing and there is no backup in backups/; see kiroku help backup restore',
  ])
})

test('an error about the wrong passphrase names the backup, not a temporary file', async () => {
  writeFileSync(directory.file('wrong'), 'another horse battery')
  const plain = join(data, 'backups', await backUp(directory))
  const name = `${basename(plain)}.age`
  // With 1 MiB: keys derived as kiroku does take half a second each.
  await encryptFile(plain, `${plain}.age`, 'correct horse battery', 10)
  rmSync(plain)
  const why = 'it cannot be opened: the passphrase is wrong or the file is damaged'
  const wrong = ['--backup-passphrase-file', 'wrong']
  expect(await refusal(directory, 'backup', 'restore', name, ...wrong)).toEqual([
    65,
    `kiroku: ${name} is not restored: ${why}`,
  ])
  expect(await run(directory, ['backup', 'verify', ...wrong])).toEqual({
    code: 65,
    stdout: `DAMAGED  ${name}: ${why}\n`,
    stderr: expect.stringContaining(
      'if the passphrase is the right one, kiroku backup create makes a new one',
    ),
  })
})

test('a directory is not a backup: the error says to name the database in it', async () => {
  const [code, line] = await refusal(directory, 'backup', 'restore', 'data')
  expect([code, line]).toEqual([66, expect.stringContaining('or the database kiroku.db')])
})

test('the command names the data directory and where backups are kept', () => {
  const place = directory.file('it is here')
  mkdirSync(join(place, 'backups'), { recursive: true })
  expect(newestRestoreCommand(place)).toBeUndefined()
  const [here, usb, bucket] = [1, 2, 3].map((day) => backupName(Date.UTC(2026, 3, day)))
  writeFileSync(join(place, 'backups', here ?? ''), 'x')
  expect(newestRestoreCommand(place)).toBe(`kiroku backup restore ${here} --data '${place}'`)
  const note = (name = '', to = '') =>
    changeNotes(place, (notes) => ({
      ...notes,
      backups: { ...notes.backups, [name]: { to, bytes: 1, kiroku_version: '0.1.0', verified_at: null } },
    }))
  note(usb, '/mnt/usb')
  expect(newestRestoreCommand(place)).toStartWith(`kiroku backup restore /mnt/usb/${usb} --data`)
  note(bucket, 's3://bucket/kiroku')
  expect(newestRestoreCommand(place)).toEndWith(' --backup-to s3://bucket/kiroku')
})

test('the message about an upgrade has the command to return to the copy from before', async () => {
  const old = directory.file('old')
  await madeByOlder(old)
  const server = await startServer(directory, ['--data', old, '--backup-every', 'off'])
  const { stderr } = await server.end('SIGTERM')
  const lines = stderr.split('\n').filter((line) => line.startsWith('upgraded the database'))
  expect(lines).toEqual([expect.stringMatching(/after a copy to .*\.db; to roll back, stop the server/)])
  expect(await obey(lines[0] ?? '')).toContain(`It is from before migration ${last}: start the older kiroku`)
  const { pending } = JSON.parse(await output(directory, ['migrate', 'status', '--json', '--data', old]))
  expect(pending).toMatchObject([{ name: last }])
  const { stderr: told } = await run(directory, ['user', 'list', '--data', old])
  expect(told).toMatch(/^upgraded the database.*kiroku backup restore before-.*\n/)
})

test('an older kiroku names the copy from before the first migration that it does not know', async () => {
  mkdirSync(join(data, 'backups'))
  const names = [
    '8001_a-20260401T120000Z',
    '9001_b-20260401T120000Z',
    '9001_b-20260402T120000Z',
    '9002_c-20260403T120000Z',
  ]
  using handle = new Database(databasePath(data))
  for (const name of names) handle.run('vacuum into ?', [join(data, 'backups', `before-${name}.db`)])
  handle.run("insert into kysely_migration values ('9001_b', '2026-01-01'), ('9002_c', '2026-01-01')")
  handle.run('pragma wal_checkpoint(truncate)')
  handle.close()
  const [code, line] = await refusal(directory, 'serve', '--port', '0')
  expect([code, line]).toEqual([
    65,
    expect.stringContaining('Start that kiroku, or restore the copy from before the upgrade: '),
  ])
  expect(await obey(line)).toContain('restored before-9001_b-20260402T120000Z.db')
  expect(usersIn(data)).toEqual(['mio'])
})

test('doctor judges backups by what is known about them, not by file times', async () => {
  const about = async () => {
    const { stdout } = await run(directory, ['doctor', '--json'])
    const { findings } = JSON.parse(stdout)
    return findings.find(({ about }: { about: string }) => about === 'backups')
  }
  await backUp(directory)
  expect(await about()).toMatchObject({ level: 'ok', message: expect.stringContaining(', verified on ') })
  const { madeAt = 0 } = lastBackup(data, Date.now())
  rmSync(join(data, 'backups'), { recursive: true })
  mkdirSync(join(data, 'backups'))
  writeFileSync(join(data, 'backups', backupName(madeAt - 3 * 86_400_000)), 'x')
  expect(await about()).toMatchObject({ level: 'note', message: expect.stringContaining('never verified') })
})
