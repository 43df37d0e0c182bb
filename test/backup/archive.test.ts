import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { createTarPacker } from 'modern-tar'
import { readArchive, readManifest } from '../../src/backup/archive/read-archive'
import { writeArchive } from '../../src/backup/archive/write-archive'
import type { Manifest } from '../../src/backup/manifest'
import { Failure } from '../../src/lib/failure'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

const manifest: Manifest = {
  ...{ format: 1, kiroku_version: '0.1.0', migration: '0001_x' },
  ...{ began_at: '2026-04-01T12:00:00.000Z', counts: { users: 2 } },
}
const image = `images/ab/${'ab'.repeat(16)}-320.webp`
let whole: Uint8Array

beforeAll(async () => {
  const random = new Uint8Array(300_000)
  crypto.getRandomValues(random.subarray(0, 65_536))
  writeFileSync(directory.file('db'), random)
  writeFileSync(directory.file('image'), 'a picture')
  const members = [
    { name: 'kiroku.db', file: directory.file('db') },
    { name: image, file: directory.file('image') },
    { name: `images/cd/${'cd'.repeat(16)}-1.webp`, file: directory.file('deleted meanwhile') },
  ]
  await writeArchive(directory.file('whole'), manifest, members, () => {})
  whole = readFileSync(directory.file('whole'))
})

/** What is read from such bytes, or why not. */
async function read(bytes: Uint8Array): Promise<Manifest | Failure> {
  writeFileSync(directory.file('changed'), bytes)
  try {
    return await readArchive(directory.file('changed'), () => undefined)
  } catch (cause) {
    if (cause instanceof Failure) return cause
    throw cause
  }
}

test('what was written can be read, and unpacked to any place', async () => {
  expect(await read(whole)).toEqual(manifest)
  expect(await readManifest(directory.file('whole'))).toEqual(manifest)
  const place = (name: string) => (name === 'kiroku.db' ? directory.file('unpacked') : undefined)
  await readArchive(directory.file('whole'), place)
  expect(readFileSync(directory.file('unpacked')).equals(readFileSync(directory.file('db')))).toBe(true)
})

test('anybody can unpack and check it with tar and sha256sum', async () => {
  const place = directory.file('stranger')
  mkdirSync(place)
  writeFileSync(join(place, 'archive.tar'), Bun.zstdDecompressSync(whole))
  const commands = 'tar -xf archive.tar && sha256sum --strict -c SHA256SUMS'
  const { exitCode, stdout } = Bun.spawnSync(['sh', '-c', commands], { cwd: place })
  expect([exitCode, stdout.toString()]).toEqual([0, `manifest.json: OK\nkiroku.db: OK\n${image}: OK\n`])
})

test('it is refused if it is truncated anywhere', async () => {
  const lengths = fc.integer({ min: 0, max: whole.length - 1 })
  await fc.assert(
    fc.asyncProperty(lengths, async (length) => {
      expect(await read(whole.subarray(0, length))).toMatchObject({ kind: 'data' })
    }),
    { numRuns: 150, examples: [[0], [1], [4], [whole.length - 1]] },
  )
})

test('with bytes changed anywhere, it is refused or its content is unchanged', async () => {
  const changes = fc.array(
    fc.tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 1, max: 255 })),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const changed = Uint8Array.from(whole)
      for (const [at, by] of all) changed[at] = (changed[at] ?? 0) ^ by
      const outcome = await read(changed)
      if (!(outcome instanceof Failure)) expect(outcome).toEqual(manifest)
      else expect(outcome.kind).toBe('data')
    }),
    { numRuns: 150 },
  )
})

test('with any byte of any file in it changed, it is refused', async () => {
  const tar = Bun.zstdDecompressSync(whole)
  for (const text of ['"users": 2', 'a picture', '  kiroku.db']) {
    const changed = Buffer.from(tar)
    const at = changed.indexOf(text)
    changed[at + text.length - 1] = 0x33
    expect(await read(Bun.zstdCompressSync(changed))).toMatchObject({ kind: 'data' })
  }
})

/** An archive of these files. */
async function packed(files: Readonly<Record<string, string>>, type: 'file' | 'symlink' = 'file') {
  const { readable, controller } = createTarPacker()
  const bytes = new Response(readable).bytes()
  for (const [name, text] of Object.entries(files)) {
    const isLink = name.endsWith('link')
    const header = isLink ? { name, size: 0, type, linkname: text } : { name, size: Buffer.byteLength(text) }
    const writer = controller.add(header).getWriter()
    if (!isLink) await writer.write(Buffer.from(text))
    await writer.close()
  }
  controller.finalize()
  return Bun.zstdCompressSync(await bytes)
}

const sumOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const sumsOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files)
    .map(([name, text]) => `${sumOf(text)}  ${name}\n`)
    .join('')
const good = { 'manifest.json': JSON.stringify(manifest), 'kiroku.db': 'x' }

test.each<[string, Readonly<Record<string, string>>]>([
  ['it contains an unexpected ../kiroku.db', { '../kiroku.db': 'x' }],
  ['it contains an unexpected /etc/passwd', { '/etc/passwd': 'x' }],
  ['it contains an unexpected images/../../x', { 'images/../../x': 'x' }],
  ['it contains an unexpected kiroku.toml', { 'kiroku.toml': 'x' }],
  ['it contains an unexpected a link', { 'a link': '/etc/passwd' }],
  [`it contains an unexpected ${image}`, { ...good, SHA256SUMS: sumsOf(good), [image]: 'x' }],
  ['kiroku.db is missing from it', { 'manifest.json': '{}', SHA256SUMS: sumsOf({ 'manifest.json': '{}' }) }],
  ['manifest.json is missing from it', { SHA256SUMS: '' }],
  [
    'kiroku.db in it does not match its checksum',
    { ...good, SHA256SUMS: sumsOf({ ...good, 'kiroku.db': 'y' }) },
  ],
  ['manifest.json in it does not match its checksum', good],
  [`${image} is missing from it`, { ...good, SHA256SUMS: sumsOf({ ...good, [image]: 'x' }) }],
])('%s', async (why, files) => {
  expect(await read(await packed(files, 'symlink'))).toMatchObject({ kind: 'data', message: why })
})

test('a newer format is refused with advice', async () => {
  const files = { ...good, 'manifest.json': JSON.stringify({ ...manifest, format: 2 }) }
  const outcome = await read(await packed({ ...files, SHA256SUMS: sumsOf(files) }))
  expect(outcome).toMatchObject({ message: 'it was made by a newer kiroku: use that one, or a newer one' })
})

test('other files are refused', async () => {
  for (const bytes of [new Uint8Array(0), Buffer.from('hello'), Bun.zstdCompressSync(Buffer.from('hello'))])
    expect(await read(bytes)).toMatchObject({ kind: 'data' })
})
