import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { s3Destination } from '../../../src/backup/remote/s3-destination'
import type { S3Settings } from '../../../src/backup/remote/s3-settings'
import { Failure } from '../../../src/lib/failure'
import { temporaryDirectory } from '../../support/kiroku'
import { hurriedWorld, type S3Server, startS3 } from '../../support/s3'

// Runs against s3rver, which checks signatures.
const directory = temporaryDirectory()
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3(directory.file('s3'))
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

const name = 'kiroku-20260401T120000Z.tar.zst'
const at = (changes: Partial<S3Settings> = {}) => s3Destination({ ...s3.settings, ...changes }, hurriedWorld)

function fileOf(bytes: number): string {
  const path = directory.file(`file-${bytes}`)
  writeFileSync(
    path,
    new Uint8Array(bytes).map((_, index) => index * 31 + (index >> 13)),
  )
  return path
}

const sha256 = async (path: string) =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex')

const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const cause = await promise.then(() => undefined).catch((thrown) => thrown)
  if (!(cause instanceof Failure)) throw new Error(`no failure but ${cause}`)
  return cause
}

// A part is 64 KiB.
test.each([1, 65_535, 65_536, 65_537, 131_072, 1_000_000])(
  'a file of %d bytes is the same after a download',
  async (bytes) => {
    const bucket = at({ prefix: 'sizes/' })
    await bucket.put(name, fileOf(bytes))
    expect(await bucket.list()).toEqual([{ name, bytes }])
    await bucket.get(name, directory.file('back'))
    expect(await sha256(directory.file('back'))).toBe(await sha256(fileOf(bytes)))
    await bucket.remove(name)
    expect(await bucket.list()).toEqual([])
    await bucket.remove(name)
  },
)

test('a missing object is reported, and nothing is written', async () => {
  const failure = await failureOf(at().get(name, directory.file('none')))
  expect([failure.kind, failure.message]).toEqual([
    'noInput',
    `there is no kiroku/${name} in s3://backups/kiroku`,
  ])
  expect(readdirSync(directory.path).filter((file) => file.startsWith('none'))).toEqual([])
})

test('a list has all of 1,200 objects, and only those directly below the prefix', async () => {
  const stored = join(directory.path, 's3', 'backups', 'many')
  mkdirSync(join(stored, 'deeper'), { recursive: true })
  const names = Array.from({ length: 1200 }, (_, index) => `backup-${String(index).padStart(4, '0')}`)
  for (const one of [...names, 'deeper/not-this']) writeFileSync(join(stored, `${one}._S3rver_object`), one)
  const listed = await at({ prefix: 'many/' }).list()
  expect(listed.map((object) => object.name)).toEqual(names)
  expect(new Set(listed.map(({ bytes }) => bytes))).toEqual(new Set([11]))
})

describe('a refusal names the option to change', () => {
  test.each<[string, Partial<S3Settings>, string]>([
    ['a wrong secret', { secretAccessKey: 'guess' }, 'KIROKU_S3_SECRET_ACCESS_KEY'],
    ['an unknown key', { accessKeyId: 'AKIAGUESS' }, 'KIROKU_S3_ACCESS_KEY_ID'],
    ['no such bucket', { bucket: 'missing' }, '--backup-to'],
    ['nobody there', { endpoint: 'http://127.0.0.1:1' }, '--s3-endpoint'],
  ])('%s', async (_, changes, option) => {
    const bucket = at(changes)
    for (const use of [bucket.list, () => bucket.put(name, fileOf(1)), () => bucket.remove(name)]) {
      const { message, exitCode } = await failureOf(use())
      expect(message).toContain(option)
      expect(message).not.toMatch(/guess/i)
      expect(exitCode).toBe('endpoint' in changes ? 74 : 78)
    }
  })
})

test('uploads abandoned a day ago are aborted by the next backup; newer ones and others’ stay', async () => {
  const begun = (id: string, key: string, hours: number) => {
    mkdirSync(join(s3.uploads, id), { recursive: true })
    writeFileSync(join(s3.uploads, id, 'key'), key)
    const then = Date.now() / 1000 - hours * 3600
    utimesSync(join(s3.uploads, id, 'key'), then, then)
  }
  begun('old', 'kiroku/kiroku-20260101T120000Z.tar.zst', 25)
  begun('young', 'kiroku/kiroku-20260102T120000Z.tar.zst', 23)
  begun('foreign', 'kiroku/film.mkv', 1000)
  begun('elsewhere', 'other/kiroku-20260101T120000Z.tar.zst', 1000)
  await at().put(name, fileOf(1))
  expect(readdirSync(s3.uploads).sort()).toEqual(['elsewhere', 'foreign', 'young'])
})

test('if a server’s ETags are not digests, the file is downloaded again to compare it', async () => {
  await using other = await startS3(directory.file('encrypting'), { otherEtags: true })
  const bucket = s3Destination(other.settings, hurriedWorld)
  await bucket.put(name, fileOf(150_000))
  const read = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith(`GET /backups/kiroku/${name}`))
  expect(read(other.requests())).toHaveLength(3)
  s3.requests()
  await at().put(name, fileOf(150_000))
  expect(read(s3.requests())).toHaveLength(0)
})
