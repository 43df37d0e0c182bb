import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, backupsIn, makeInstance, pictures, picturesIn, usersIn } from '../../support/backups'
import { output, run } from '../../support/in-process'
import { type Directory, spawn, temporaryDirectory } from '../../support/kiroku'
import { type S3Server, startS3 } from '../../support/s3'
import { until } from '../../support/until'

const passphrase = 'correct horse battery'
let directory: Directory
let s3: S3Server
/** The key as operators configure it, with the secret in a file. */
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  directory = temporaryDirectory()
  s3 = await startS3(directory.file('s3'), { delay: 20 })
  await makeInstance(directory)
  writeFileSync(directory.file('secret'), 'S3RVER\n')
  writeFileSync(directory.file('passphrase'), `${passphrase}\n`)
  env = {
    KIROKU_S3_ENDPOINT: s3.settings.endpoint,
    KIROKU_S3_ACCESS_KEY_ID: 'S3RVER',
    KIROKU_S3_SECRET_ACCESS_KEY_FILE: directory.file('secret'),
    KIROKU_BACKUP_TO: 's3://backups/kiroku',
  }
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

const listed = async () =>
  JSON.parse(await output(directory, ['backup', 'list', '--json'], { env })).map(
    ({ name }: { name: string }) => name,
  )

test('a backup is stored here, encrypted and sent, and can be restored with just the passphrase and the bucket', async () => {
  const words = ['backup', 'create', '--backup-passphrase-file', 'passphrase']
  const told = await output(directory, words, { env })
  const [name = ''] = backupsIn(directory.file('data'))
  expect(name).toMatch(/\.tar\.zst\.age$/)
  expect(told).toEndWith(`sent  ${name}\ns3://backups/kiroku is up to date\n`)
  expect(await listed()).toEqual([name])
  expect(readFileSync(join(directory.file('data'), 'backups', name), 'latin1')).toStartWith(
    'age-encryption.org',
  )
  using machine = temporaryDirectory()
  copyFileSync(directory.file('passphrase'), machine.file('passphrase'))
  const words2 = ['backup', 'restore', name]
  const refusals = [
    [78, /^kiroku: the backup is encrypted: the passphrase is missing; .*--backup-passphrase-file/, {}],
    [65, /the passphrase is wrong or the file is damaged/, { KIROKU_BACKUP_PASSPHRASE: 'wrong' }],
  ] as const
  for (const [code, line, more] of refusals) {
    const refused = await run(machine, words2, { env: { ...env, ...more } })
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringMatching(line)])
    expect(existsSync(machine.file('data/kiroku.db'))).toBe(false)
  }
  await output(machine, words2, { env: { ...env, KIROKU_BACKUP_PASSPHRASE_FILE: 'passphrase' } })
  expect([usersIn(machine.file('data')), picturesIn(machine.file('data'))]).toEqual([['mio'], pictures])
  const file = join(directory.file('data'), 'backups', name)
  await output(machine, [
    'backup',
    'restore',
    file,
    '--data',
    'other',
    '--backup-passphrase-file',
    'passphrase',
  ])
  expect(usersIn(machine.file('other'))).toEqual(['mio'])
})

test('a bucket that refuses does not prevent a local backup; it is sent later, and old ones there are removed', async () => {
  const before = await listed()
  const failed = await run(directory, ['backup', 'create'], {
    env: { ...env, KIROKU_S3_ACCESS_KEY_ID: 'AKIA' },
  })
  expect([failed.code, failed.stderr]).toEqual([78, expect.stringContaining('does not know the key')])
  const notes = JSON.parse(readFileSync(directory.file('data/backups/notes.json'), 'utf8'))
  expect(notes.unsent.why).toStartWith('not sent: s3://backups/kiroku: the server does not know the key')
  const name = backupsIn(directory.file('data')).at(-1) ?? ''
  // By default, the newest of each hour is kept: an hour may end between the two.
  const keepingOne = { env: { ...env, KIROKU_BACKUP_KEEP: '1y' } }
  const { sent, removed } = JSON.parse(await output(directory, ['backup', 'send', '--json'], keepingOne))
  expect([sent, removed]).toEqual([[name], before])
  expect(await listed()).toEqual([name])
  expect(JSON.parse(readFileSync(directory.file('data/backups/notes.json'), 'utf8')).unsent).toBeUndefined()
  expect(JSON.parse(await output(directory, ['backup', 'verify', '--json'], { env }))).toEqual([
    { name, ok: true, why: null },
  ])
})

test('with a passphrase, nothing unencrypted is sent', async () => {
  const elsewhere = { ...env, KIROKU_BACKUP_TO: 's3://backups/secret', KIROKU_BACKUP_PASSPHRASE: passphrase }
  const { sent } = JSON.parse(await output(directory, ['backup', 'send', '--json'], { env: elsewhere }))
  expect(sent.every((name: string) => name.endsWith('.age'))).toBe(true)
  expect(backupsIn(directory.file('data')).some((name) => !name.endsWith('.age'))).toBe(true)
})

test('kiroku backup send resumes after it was killed', async () => {
  using other = temporaryDirectory()
  await makeInstance(other)
  await backUp(other)
  const [made = ''] = backupsIn(other.file('data'))
  // 25 MB: four parts. The content does not matter for sending.
  const large = join(other.file('data/backups'), made)
  writeFileSync(large, crypto.getRandomValues(new Uint8Array(65_536)).toHex().repeat(200))
  const to = { env: { ...env, KIROKU_BACKUP_TO: 's3://backups/killed' } }
  s3.requests()
  const child = spawn(other, ['backup', 'send'], to)
  await until(() => s3.storedParts().length >= 1)
  child.kill('SIGKILL')
  await child.exited
  // Nothing is in transit any more.
  await s3.kill()
  await s3.startAgain()
  const stored = s3.storedParts()
  s3.requests()
  await output(other, ['backup', 'send'], to)
  const again = s3.requests().filter((line) => line.startsWith('PUT'))
  expect(stored.length).toBeGreaterThan(0)
  expect(again).toHaveLength(4 - stored.length)
  expect(readdirSync(s3.uploads)).toEqual([])
})

test('secrets are not accepted on the command line, and not part of any message', async () => {
  for (const option of ['s3-access-key-id', 's3-secret-access-key', 'backup-passphrase']) {
    const { code, stderr } = await run(directory, ['backup', 'list', `--${option}`, 'open-sesame'], { env })
    expect([code, stderr]).toEqual([64, expect.stringContaining(`--${option}-file or in KIROKU_`)])
    expect(stderr).not.toContain('sesame')
  }
  const wrong = { ...env, KIROKU_S3_SECRET_ACCESS_KEY_FILE: '', KIROKU_S3_SECRET_ACCESS_KEY: 'open-sesame' }
  const { code, stdout, stderr } = await run(directory, ['backup', 'list', '--verbose'], { env: wrong })
  expect([code, stderr]).toEqual([78, expect.stringContaining('set KIROKU_S3_SECRET_ACCESS_KEY')])
  expect(stdout + stderr).not.toContain('sesame')
})

test.each([
  [{ KIROKU_BACKUP_TO: 's3://Backups' }, 'is not the address of a bucket'],
  [{ KIROKU_BACKUP_TO: 's3://backups/../x' }, 'is not the address of a bucket'],
  [{ KIROKU_S3_ACCESS_KEY_ID: '' }, 'KIROKU_S3_ACCESS_KEY_ID or KIROKU_S3_ACCESS_KEY_ID_FILE is missing'],
  [{ KIROKU_S3_REGION: 'Europe!' }, 'KIROKU_S3_REGION must be the name of a region'],
  [{ KIROKU_BACKUP_PASSPHRASE: 'short' }, 'must have 12 characters or more'],
])('with %j nothing is made or sent', async (more, why) => {
  const there = backupsIn(directory.file('data'))
  const words = 'KIROKU_BACKUP_PASSPHRASE' in more ? ['backup', 'create'] : ['backup', 'send']
  const { code, stderr } = await run(directory, words, { env: { ...env, ...more } })
  expect([code, stderr]).toEqual([78, expect.stringContaining(why)])
  expect(backupsIn(directory.file('data'))).toEqual(there)
})
