import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { detect } from '../../src/transfer/detect'
import { csvRows } from '../../src/transfer/file/csv'
import type { InputFile } from '../../src/transfer/file/input-file'
import { jsonValues, placesIn } from '../../src/transfer/file/json'
import { RefusedFile } from '../../src/transfer/file/refused-file'
import { openUpload } from '../../src/transfer/file/upload'
import { xmlElements } from '../../src/transfer/file/xml'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-lists-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(bytes: string | Uint8Array): string {
  const path = join(folder, 'list')
  writeFileSync(path, bytes)
  return path
}

/** In chunks of a few bytes, so that boundaries fall everywhere. */
const fileOf = (content: string | Uint8Array, size = 3): InputFile => ({
  name: 'list',
  bytes: async function* () {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  },
})

const problemOf = async (reading: Promise<unknown>): Promise<unknown> => {
  const cause = await reading.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  return cause instanceof RefusedFile ? cause.problem : cause
}

const MiB = 1024 * 1024

describe('limits', () => {
  test('a file that unpacks to more than 64 MiB is refused', async () => {
    const packed = Bun.gzipSync(new Uint8Array(65 * MiB).fill(0x20))
    expect(packed.length).toBeLessThan(MiB)
    expect(await problemOf(detect(written(packed), 'list'))).toBe('too_large')
  })

  test('JSON nested more than 64 deep is refused', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(await problemOf(placesIn(fileOf(nested(64))))).toBeUndefined()
    expect(await problemOf(placesIn(fileOf(nested(65))))).toBe('unrecognised')
    expect(await problemOf(placesIn(fileOf(nested(100_000), 65_536)))).toBe('unrecognised')
  })

  test('a text of more than 1 MiB is refused', async () => {
    const long = 'a'.repeat(MiB + 1)
    expect(await problemOf(placesIn(fileOf(JSON.stringify([long]), 65_536)))).toBe('too_large')
    const xml = `<myanimelist><anime><my_comments>${long}</my_comments></anime></myanimelist>`
    expect(await problemOf(Array.fromAsync(xmlElements(fileOf(xml, 65_536))))).toBe('too_large')
  })

  test('JSON is read in memory that does not grow with the file', async () => {
    const entry = JSON.stringify({ target_id: 1, target_type: 'Anime', text: 'x'.repeat(1000) })
    const path = written(`[${Array.from({ length: 30_000 }, () => entry).join(',')}]`)
    const program = `
      const { detect } = await import(${JSON.stringify(join(import.meta.dir, '../../src/transfer/detect.ts'))})
      const { reader, contents } = await detect(${JSON.stringify(path)}, 'list')
      const before = process.memoryUsage.rss()
      let rows = 0
      for await (const _ of reader.rows(contents)) rows += 1
      console.log(JSON.stringify({ rows, growth: process.memoryUsage.rss() - before }))`
    const child = Bun.spawn(['bun', '-e', program], { stdout: 'pipe' })
    const { rows, growth } = JSON.parse(await child.stdout.text())
    expect(rows).toBe(30_000)
    expect(growth).toBeLessThan(64 * MiB)
  }, 60_000)
})

describe('JSON', () => {
  test('values at a path are those of JSON.parse, however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), async (values, size) => {
        const file = fileOf(JSON.stringify({ lists: [{ entries: values }] }), size)
        const found = await Array.fromAsync(jsonValues(file, '$.lists.*.entries.*'))
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(values)))
        expect(found.map(({ keys }) => keys.at(-1))).toEqual(values.map((_, index) => index))
      }),
      { numRuns: 60 },
    )
  })

  test('what JSON.parse refuses is refused, and nothing else', async () => {
    const cut = fc.tuple(fc.jsonValue(), fc.nat(40)).map(([value, at]) => {
      const text = JSON.stringify({ value })
      return text.slice(0, text.length - (at % text.length))
    })
    await fc.assert(
      fc.asyncProperty(cut, async (text) => {
        const isValid = await Promise.resolve(text)
          .then(JSON.parse)
          .then(
            () => true,
            () => false,
          )
        expect([text, await problemOf(placesIn(fileOf(text)))]).toEqual([
          text,
          isValid ? undefined : 'broken',
        ])
      }),
    )
  })
})

describe('CSV', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', 'あ', ',', ';', '"', '\n', ' ') })
    .map((text) => `x${text}`)

  test('is read as it was written, with each delimiter and line ending', async () => {
    const form = fc.record({ delimiter: fc.constantFrom(',', ';', '\t'), end: fc.constantFrom('\n', '\r\n') })
    const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rows, form, async (cells, { delimiter, end }) => {
        const line = (texts: readonly string[]) =>
          texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter)
        const file = fileOf([['one', 'two', 'three'], ...cells].map(line).join(end))
        const expected = cells.map(([one, two, three]) => ({ one, two, three }))
        expect(await Array.fromAsync(csvRows(file))).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  test('has short rows padded, and is read as Shift_JIS or GB18030 if it is not UTF-8', async () => {
    expect(await Array.fromAsync(csvRows(fileOf('a,b\n1\n')))).toEqual([{ a: '1', b: '' }])
    const shiftJis = Uint8Array.from([0x61, 0x2c, 0x62, 0x0a, 0x90, 0x69, 0x8c, 0x82, 0x2c, 0x31, 0x0a])
    expect(await Array.fromAsync(csvRows(fileOf(shiftJis)))).toEqual([{ a: '進撃', b: '1' }])
  })

  test('names the line of a quote that never ends', async () => {
    const refused = await Array.fromAsync(csvRows(fileOf('a,b\n1,"2\n'))).catch((cause: unknown) => cause)
    expect(refused).toMatchObject({ problem: 'broken', detail: { line: 2 } })
  })
})

describe('whatever bytes arrive', () => {
  const starts = ['', '<', '{', '[', 'PK\u0003\u0004', '\u001f\u008b', 'mal_id,title\n', '<myanimelist>']
  const noise = fc
    .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }))
    .map(([start, bytes]) => Buffer.concat([Buffer.from(start, 'latin1'), bytes]))

  test('a file is read or refused with a reason; nothing else happens', async () => {
    await fc.assert(
      fc.asyncProperty(noise, async (bytes) => {
        const problem = await problemOf(
          detect(written(bytes), 'list').then(({ reader, contents }) =>
            Array.fromAsync(reader.rows(contents)),
          ),
        )
        expect(problem === undefined || typeof problem === 'string').toBe(true)
      }),
      { numRuns: 400 },
    )
  }, 60_000)
})

test('an archive that claims more than 10,000 members is not opened', async () => {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(10_001, 8)
  end.writeUInt16LE(10_001, 10)
  expect(await problemOf(openUpload(written(end), 'many.zip'))).toBe('too_many_members')
})

test('the members of an archive are known by their base names', async () => {
  const path = join(import.meta.dir, 'lists/bad/traversal.zip')
  const upload = await openUpload(path, 'traversal.zip')
  expect(upload.members?.map(({ name }) => name)).toEqual(['evil.json'])
})
