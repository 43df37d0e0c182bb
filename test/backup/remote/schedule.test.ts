import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupName } from '../../../src/backup/names'
import { s3Destination } from '../../../src/backup/remote/s3-destination'
import type { ApartOptions, runApart } from '../../../src/cli/server/apart'
import { startBackupJobs } from '../../../src/cli/server/backup-jobs'
import { backupsIn, makeInstance } from '../../support/backups'
import { createInstance, type Instance, start } from '../../support/instance'
import { startServer, temporaryDirectory } from '../../support/kiroku'
import { hurriedWorld, startS3 } from '../../support/s3'
import { until } from '../../support/until'

const hour = 3_600_000
let kiroku: Instance
beforeEach(async () => {
  const config = {
    ...{
      backupTo: 's3://backups/kiroku',
      s3Endpoint: 'https://s3.example',
      backupPassphrase: 'open sesame now',
    },
    ...{ s3AccessKeyId: 'AKIA', s3SecretAccessKey: 'secret', backupEvery: 24 * hour },
  }
  kiroku = await createInstance({ config })
  mkdirSync(join(kiroku.deps.config.data, 'backups'))
})
afterEach(() => kiroku.close())

interface Ran {
  readonly words: readonly string[]
  readonly env: ApartOptions['env']
}

/** Checks several times; `code` is the exit code of sending. */
async function look(code: number, config = kiroku.deps.config): Promise<readonly Ran[]> {
  const ran: Ran[] = []
  const run: typeof runApart = async (words, { env } = {}) => {
    ran.push({ words, env })
    const isSending = words[1] === 'send'
    const said = isSending ? '{"sent":["a","b"],"removed":[]}' : '{"name":"x","bytes":1,"in":"here"}'
    return { code: isSending ? code : 0, said, complained: 'kiroku: no answer\n', cpuMs: 0 }
  }
  // Each check asks the clock at least once, so this is several checks.
  let asked = 0
  const steady = () => {
    asked += 1
    return kiroku.deps.steady()
  }
  const jobs = startBackupJobs({ ...kiroku.deps, config, steady }, { run, firstMs: 0, thenMs: 1 })
  await until(() => asked > 20)
  await jobs.stop()
  return ran
}

const names = (ran: readonly Ran[]) => ran.map(({ words }) => words[1])
const keepOne = () => writeFileSync(join(kiroku.deps.config.data, 'backups', backupName(start - hour)), 'x')

test('an existing backup is sent at the start, once, without making another one', async () => {
  keepOne()
  expect(names(await look(0))).toEqual(['send'])
  expect(kiroku.lines.map(({ event, facts }) => [event, facts.backups, facts.to])).toEqual([
    ['backup_sent', 2, 's3://backups/kiroku'],
  ])
})

test('a backup is made and pruned here, then sent; the secrets are only in the environment', async () => {
  const [create, prune, send] = await look(0)
  expect([create?.words[1], prune?.words[1], send?.words[1]]).toEqual(['create', 'prune', 'send'])
  for (const { words, env } of [create, prune, send].filter((one) => one !== undefined)) {
    expect(words.join(' ')).not.toMatch(/AKIA|secret|sesame/)
    expect(words.includes('s3://backups/kiroku')).toBe(words[1] === 'send')
    expect(env).toEqual({
      KIROKU_BACKUP_PASSPHRASE: 'open sesame now',
      KIROKU_S3_ACCESS_KEY_ID: 'AKIA',
      KIROKU_S3_SECRET_ACCESS_KEY: 'secret',
    })
  }
  expect(send?.words).toContain('https://s3.example')
})

test('a backup that cannot be sent is logged and tried again in an hour, not at the next check', async () => {
  keepOne()
  expect(names(await look(74))).toEqual(['send'])
  expect(kiroku.lines.map(({ event, facts }) => [event, facts.why])).toEqual([
    ['backup_failed', 'kiroku: no answer'],
  ])
})

test('with a directory as the destination, nothing is sent', async () => {
  keepOne()
  expect(await look(0, { ...kiroku.deps.config, backupTo: '/mnt/usb' })).toEqual([])
})

test('a server keeps its backups both here and in the bucket', async () => {
  using directory = temporaryDirectory()
  await using s3 = await startS3(directory.file('s3'))
  await makeInstance(directory)
  const env = {
    KIROKU_BACKUP_TO: 's3://backups/kiroku',
    KIROKU_S3_ENDPOINT: s3.settings.endpoint,
    KIROKU_S3_ACCESS_KEY_ID: 'S3RVER',
    KIROKU_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  await using server = await startServer(directory, [], { env })
  const isSent = () => s3.requests().some((line) => line.startsWith('HEAD '))
  await until(isSent)
  const there = await s3Destination(s3.settings, hurriedWorld).list()
  const { stderr, code } = await server.end('SIGTERM')
  expect(code).toBe(0)
  // The process that sends may be ended while it notes that it has sent; the next note is written over that.
  const here = backupsIn(directory.file('data')).filter((name) => name !== 'notes.json.partial')
  expect(there.map(({ name }) => name)).toEqual(here)
  expect(there).toHaveLength(1)
  expect(stderr).not.toContain('S3RVER')
})
