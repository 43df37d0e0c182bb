import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { migrate, migrationState } from '../../src/db/migrate'
import { migrations } from '../../src/db/migrations'
import { databasePath, openHandle } from '../../src/db/open'
import { version } from '../../src/version'
import { output, run } from '../support/in-process'
import { type Directory, temporaryDirectory } from '../support/kiroku'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const withDigests = Object.entries(migrations).map(([name, text]) => ({ name, sha256: sha256(text) }))

/** A data directory whose second migration had a different text. */
async function madeByAnother(directory: Directory): Promise<void> {
  const handle = openHandle(directory.path)
  const other = { ...migrations, '0002_works': `${migrations['0002_works']} -- another` }
  await migrate(handle, other)
  handle.close()
}

test('promise 2: every command refuses a migration that was changed after it ran, and leaves the file untouched', async () => {
  using directory = temporaryDirectory()
  await madeByAnother(directory)
  const before = readFileSync(databasePath(directory.path))
  const kept = sha256(`${migrations['0002_works']} -- another`)
  const ours = sha256(migrations['0002_works'] ?? '')
  for (const command of ['serve --port 0', 'user list', 'migrate status', 'migrate up', 'check']) {
    const { code, stdout, stderr } = await run(directory, [...command.split(' '), '--data', directory.path])
    expect([command, code, stdout]).toEqual([command, 65, ''])
    expect(stderr).toMatch(
      /^kiroku: migration 0002_works was applied with other statements .*: nothing was changed\n$/,
    )
    for (const digest of [kept, ours]) expect(stderr).toContain(digest)
    expect(readFileSync(databasePath(directory.path)).equals(before)).toBe(true)
  }
})

test.each([
  ['newer', '99.1.0', { ...migrations, '9999_future': 'create table future (a)' }],
  [
    'of migrations that were never released',
    version,
    { '0001_provenance': migrations['0001_imports'] ?? '' },
  ],
])(
  'a database is refused by every command, both builds named, the file untouched: %s',
  async (_, writer, others) => {
    using directory = temporaryDirectory()
    const handle = openHandle(directory.path)
    await migrate(handle, others)
    handle.run("update instance set value = ? where name = 'kiroku_version'", [writer])
    handle.close()
    const before = readFileSync(databasePath(directory.path))
    for (const args of [
      ['serve', '--port', '0'],
      ['user', 'list'],
      ['migrate', 'status'],
      ['migrate', 'up'],
    ]) {
      const { code, stdout, stderr } = await run(directory, [...args, '--data', directory.path])
      expect([args, code, stdout]).toEqual([args, 65, ''])
      const told = `this database was last upgraded by kiroku ${writer} (migration ${Object.keys(others).at(-1)})`
      const own = `this is another build, kiroku ${version}, whose last migration is ${withDigests.at(-1)?.name}`
      const way = `Start that kiroku, or restore a backup from before the upgrade (kiroku backup list --data ${directory.path})`
      expect(stderr).toBe(`kiroku: ${told}; ${own}: nothing was changed. ${way}\n`)
      expect(readFileSync(databasePath(directory.path)).equals(before)).toBe(true)
    }
  },
)

test('migrate status --json shows the digest of every migration, including future ones', async () => {
  using directory = temporaryDirectory()
  const handle = openHandle(directory.path)
  await migrate(handle, Object.fromEntries(Object.entries(migrations).slice(0, -1)))
  handle.close()
  const status = async () =>
    JSON.parse(await output(directory, ['migrate', 'status', '--json', '--data', directory.path]))
  expect(await status()).toMatchObject({
    applied: withDigests.slice(0, -1),
    pending: withDigests.slice(-1),
  })
  await output(directory, ['migrate', 'up', '--data', directory.path])
  expect(await status()).toMatchObject({ applied: withDigests, pending: [] })
})

test('a database from before digests gets them with its next migration', async () => {
  using handle = new Database(':memory:')
  await migrate(handle, Object.fromEntries(Object.entries(migrations).slice(0, -1)))
  handle.run('drop table kysely_migration_digest')
  expect(migrationState(handle).applied).toEqual(
    withDigests.slice(0, -1).map(({ name }) => ({ name, sha256: null })),
  )
  await migrate(handle)
  expect(migrationState(handle)).toEqual({ applied: withDigests, pending: [] })
})
