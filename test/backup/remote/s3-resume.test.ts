import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createS3Client } from '../../../src/backup/remote/s3-client'
import { s3Destination } from '../../../src/backup/remote/s3-destination'
import { sha256Header } from '../../../src/backup/remote/s3-read'
import { beginUpload } from '../../../src/backup/remote/s3-uploads'
import { temporaryDirectory } from '../../support/kiroku'
import { hurriedWorld, type S3Server, startS3 } from '../../support/s3'
import { until } from '../../support/until'

const directory = temporaryDirectory()
const file = directory.file('backup')
const name = 'kiroku-20260401T120000Z.tar.zst'
const parts = 6
beforeAll(() =>
  writeFileSync(file, Array.from({ length: parts }, () => randomBytes(32_768).toString('hex')).join('')),
)
afterAll(() => directory[Symbol.dispose]())

/** Resolves once the server holds this many parts. */
async function untilStored(s3: S3Server, count: number): Promise<void> {
  await until(() => s3.storedParts().length >= count)
}

const sha256 = async (path: string) =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex')

const sentParts = (lines: readonly string[]) =>
  lines.flatMap((line) => /^PUT .*partNumber=(\d+)/.exec(line)?.[1] ?? []).map(Number)

test('a server that is killed and comes back during the retries causes no failure', async () => {
  await using s3 = await startS3(directory.file('returns'), { delay: 50 })
  let isBack = false
  const world = { ...hurriedWorld, wait: () => until(() => isBack) }
  const put = s3Destination(s3.settings, world).put(name, file)
  await untilStored(s3, 2)
  await s3.kill()
  await s3.startAgain()
  isBack = true
  await put
  expect(await s3Destination(s3.settings, hurriedWorld).list()).toEqual([
    { name, bytes: Bun.file(file).size },
  ])
})

test('a server that stays away is a failure; the next run sends only what is missing', async () => {
  await using s3 = await startS3(directory.file('stays-away'), { delay: 50 })
  const bucket = s3Destination(s3.settings, hurriedWorld)
  const failure = bucket.put(name, file).catch((cause) => cause.message)
  await untilStored(s3, 3)
  await s3.kill()
  expect(await failure).toMatch(/^s3:\/\/backups\/kiroku: no answer from http:\/\/127\.0\.0\.1:\d+ \(\w+\)/)
  const stored = s3.storedParts()
  await s3.startAgain()
  s3.requests()
  await expectFinished(s3, stored)
})

test('after kill -9 of kiroku, the next run sends only what is missing', async () => {
  await using s3 = await startS3(directory.file('killed'), { delay: 100 })
  const script = join(import.meta.dir, '../../support/put-backup.ts')
  const child = Bun.spawn([process.execPath, script, JSON.stringify(s3.settings), name, file, '65536'])
  await untilStored(s3, 2)
  child.kill('SIGKILL')
  await child.exited
  expect(await s3Destination(s3.settings, hurriedWorld).list()).toEqual([])
  // Nothing is in transit any more.
  await s3.kill()
  await s3.startAgain()
  const stored = s3.storedParts()
  s3.requests()
  await expectFinished(s3, stored)
})

test('an upload of another file with the same name is not resumed', async () => {
  await using s3 = await startS3(directory.file('changed'), { delay: 50 })
  const bucket = s3Destination(s3.settings, hurriedWorld)
  const failure = bucket.put(name, file).catch(() => 'failed')
  await untilStored(s3, 2)
  await s3.kill()
  expect(await failure).toBe('failed')
  await s3.startAgain()
  s3.requests()
  const other = directory.file('other')
  writeFileSync(other, (await Bun.file(file).text()).toUpperCase())
  await bucket.put(name, other)
  expect(sentParts(s3.requests())).toEqual([1, 2, 3, 4, 5, 6])
  await bucket.get(name, directory.file('back'))
  expect(await sha256(directory.file('back'))).toBe(await sha256(other))
  expect(readdirSync(s3.uploads)).toEqual([])
})

test('several uploads that were begun are ended: one is resumed, and no part of the others stays', async () => {
  await using s3 = await startS3(directory.file('several'))
  const client = createS3Client(s3.settings, hurriedWorld)
  const key = `${s3.settings.prefix}${name}`
  const headers = { [sha256Header]: await sha256(file) }
  for (let begun = 0; begun < 3; begun += 1) await beginUpload(client, { key, headers })
  expect(readdirSync(s3.uploads)).toHaveLength(3)
  const bucket = s3Destination(s3.settings, hurriedWorld)
  await bucket.put(name, file)
  expect(readdirSync(s3.uploads)).toEqual([])
})

async function expectFinished(s3: S3Server, stored: readonly number[]): Promise<void> {
  const bucket = s3Destination(s3.settings, hurriedWorld)
  await bucket.put(name, file)
  const all = Array.from({ length: parts }, (_, index) => index + 1)
  expect(stored.length).toBeGreaterThan(1)
  expect(sentParts(s3.requests())).toEqual(all.filter((part) => !stored.includes(part)))
  await bucket.get(name, directory.file('back'))
  expect(await sha256(directory.file('back'))).toBe(await sha256(file))
  expect(existsSync(s3.uploads) ? readdirSync(s3.uploads) : []).toEqual([])
}
