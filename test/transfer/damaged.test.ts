import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { statusKinds } from '../../src/library/statuses'
import { detect } from '../../src/transfer/detect'
import { RefusedFile } from '../../src/transfer/file/refused-file'
import { readers } from '../../src/transfer/readers'
import type { ListRow } from '../../src/transfer/row'

const lists = join(import.meta.dir, 'lists')
const folder = mkdtempSync(join(tmpdir(), 'kiroku-damaged-'))
afterAll(() => rmSync(folder, { recursive: true }))

const names = [...new Bun.Glob('*/*').scanSync(lists)]
  .filter((name) => !/\.(?:expected|rows)\.json$/.test(name))
  .sort()

/** How many rows were read before the end, or before the file was refused. Rejects for anything else. */
async function read(bytes: Uint8Array): Promise<number> {
  const path = join(folder, 'list')
  writeFileSync(path, bytes)
  let rows = 0
  try {
    const { reader, contents } = await detect(path, 'list')
    for await (const row of reader.rows(contents)) {
      expect(oddIn(row)).toEqual([])
      rows += 1
    }
  } catch (cause) {
    if (!(cause instanceof RefusedFile)) throw cause
  }
  return rows
}

/** Values that the import could not work with. */
function oddIn(row: ListRow): unknown[] {
  const { status, progress, score, startedOn, finishedOn, rewatches, updatedAt, plays = [], refs } = row
  const dates = [startedOn, finishedOn].filter((date) => !/^(?:\d{4}(?:-\d\d){0,2})?$/.test(date ?? ''))
  const counts = [
    progress === 'all' ? 0 : progress,
    rewatches,
    ...plays.flatMap((play) => [play.season, play.episode]),
  ]
  const times = plays.map(({ watchedAt }) => watchedAt).filter((at) => typeof at === 'number')
  return [
    ...dates,
    ...[row.sourceId, row.title, row.note ?? ''].filter((text) => typeof text !== 'string'),
    ...counts.filter((count = 0) => !Number.isInteger(count) || count < 0),
    ...[updatedAt ?? 0, score?.value ?? 1, ...times].filter((number) => !Number.isFinite(number)),
    ...refs.filter(({ id }) => !/^(?:tv\/|movie\/)?[1-9]\d*$/.test(id)),
    ...(status === undefined || statusKinds.includes(status) ? [] : [status]),
  ]
}

type Damage = (bytes: Buffer) => Buffer

/** Positions are fractions, so that they fit a file of any length. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const at = (bytes: Buffer, part: number) => Math.floor(bytes.length * part)

const cutOff = place.map(
  (part): Damage =>
    (bytes) =>
      bytes.subarray(0, at(bytes, part)),
)

const changed = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 20 }).map(
  (changes): Damage =>
    (bytes) => {
      const copy = Buffer.from(bytes)
      for (const [part, byte] of changes) copy[at(copy, part)] = byte
      return copy
    },
)

const inserted = fc
  .tuple(
    place,
    fc.constantFrom('"', '{', '[', ']', ',', '<', '\n', '\0', '-1', 'null', '1e999', '9'.repeat(400)),
  )
  .map(([part, text]): Damage => {
    return (bytes) =>
      Buffer.concat([bytes.subarray(0, at(bytes, part)), Buffer.from(text), bytes.subarray(at(bytes, part))])
  })

const doubled = fc.tuple(place, place).map(([one, other]): Damage => {
  return (bytes) => {
    const [start, end] = [at(bytes, Math.min(one, other)), at(bytes, Math.max(one, other))]
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  }
})

const damage = fc.oneof(cutOff, changed, inserted, doubled)

describe('a damaged list is read as far as possible, or refused with a reason', () => {
  test.each(names)('%s', async (name) => {
    const whole = readFileSync(join(lists, name))
    const sound = await read(whole)
    const property = fc.asyncProperty(damage, async (spoil) => {
      expect(await read(spoil(whole))).toBeLessThanOrEqual(2 * sound + 50)
    })
    await fc.assert(property, { numRuns: 20 })
  })
})

/** A JSON or CSV file's text, with each kind of value replaced by another. */
const strange = [
  'null',
  '[]',
  '{}',
  '""',
  '-5',
  '1e300',
  'true',
  '"constructor"',
  '"__proto__"',
  '"2016-02-31"',
]

describe('values of an unexpected kind cause no failure', () => {
  const texts = names.filter((name) => name.endsWith('.json') || name.endsWith('.ndjson'))
  test.each(texts.filter((name) => !name.startsWith('bad/')))('%s', async (name) => {
    const whole = readFileSync(join(lists, name), 'utf8')
    const values = [
      ...whole.matchAll(/(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null)(?=\s*[,\]}])/g),
    ]
    const one = fc.tuple(fc.constantFrom(...values), fc.constantFrom(...strange))
    await fc.assert(
      fc.asyncProperty(one, async ([found, other]) => {
        const start = whole.slice(0, found.index)
        await read(Buffer.from(`${start}${other}${whole.slice(found.index + found[0].length)}`))
      }),
      { numRuns: 20 },
    )
  })
})

test('bytes of no known format are refused', async () => {
  const bytes = fc.uint8Array({ maxLength: 2000 })
  await fc.assert(
    fc.asyncProperty(bytes, async (some) => {
      await read(some)
    }),
    { numRuns: 100 },
  )
}, 60_000)

test('every reader is tested with a list of its own', async () => {
  const tried = new Set<unknown>()
  for (const name of names.filter((name) => !name.startsWith('bad/'))) {
    const detected = await detect(join(lists, name), name).catch(() => undefined)
    tried.add(detected?.reader.recognises)
  }
  const untried = readers.filter(({ recognises }) => !tried.has(recognises))
  expect(untried.map(({ source }) => source)).toEqual([])
})
