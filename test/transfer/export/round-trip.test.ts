import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Media } from '../../../src/catalogue/default/sources'
import { ratingStates } from '../../../src/library/ratings'
import { statusKinds } from '../../../src/library/statuses'
import { detect } from '../../../src/transfer/detect'
import type { Entry } from '../../../src/transfer/export/entry'
import { packed } from '../../../src/transfer/export/formats'
import { malDocument } from '../../../src/transfer/export/mal'
import { simklCsv, yamtrackCsv } from '../../../src/transfer/export/trackers'
import type { ListRow } from '../../../src/transfer/row'
import { codePoint } from '../../support/code-point'

const directory = mkdtempSync(join(tmpdir(), 'kiroku-export-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function rowsOf(
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<{ source: string; rows: readonly Partial<ListRow>[] }> {
  const path = join(directory, 'list')
  const chunks = (await Array.fromAsync(pieces)).map((piece) => Buffer.from(piece as string))
  writeFileSync(path, Buffer.concat(chunks))
  const { reader, contents } = await detect(path, 'list')
  return { source: reader.source, rows: await Array.fromAsync(reader.rows(contents)) }
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

const hostile = [
  ...[
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\t=1',
    '\r=1',
    "'=1",
    "''+",
    ']]>',
    '<![CDATA[x]]>',
    ']]',
    '&amp;',
    '&',
    '<!--',
  ],
  ...[
    '"',
    '""',
    ',',
    ';',
    '\r\n',
    '\n',
    '\r',
    '\u0000\u0001\u001b[31m',
    '\u202e\u05d0\u0628',
    '😀',
    '\ud800',
    '\ufffe',
  ],
]
const text = fc.array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: codePoint })), { maxLength: 6 })
const texts = text.map((parts) => parts.join(''))

const date = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .chain((day) => fc.constantFrom(4, 7, 10).map((length) => day.toISOString().slice(0, length)))

const entry: fc.Arbitrary<Entry> = fc.record({
  workId: fc.integer({ min: 1, max: 99_999_999 }),
  title: texts,
  media: fc.constantFrom<Media>('tv', 'ova', 'movie', 'web', 'other'),
  year: fc.option(fc.integer({ min: 1000, max: 9999 })),
  malId: fc.integer({ min: 1, max: 999_999 }).map(String),
  status: fc.constantFrom(...statusKinds),
  changedAt: fc.integer({ min: 0, max: 1_800_000_000_000 }),
  progress: fc.nat(2000),
  total: fc.nat(2000),
  rewatches: fc.nat(1000),
  rating: fc.option(fc.constantFrom(...ratingStates)),
  score: fc.option(fc.integer({ min: 1, max: 100 })),
  note: texts,
  startedOn: fc.option(date),
  finishedOn: fc.option(date),
})
const entries = fc.array(entry, { minLength: 1, maxLength: 8 })

/** Control characters and noncharacters are not preserved. */
const legible = (value: string) => value.replaceAll(/(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD')

const whole = (day: string | null) => (day?.length === 10 ? day : undefined)
const tenPoints = { bad: 3, average: 6, good: 8, great: 10 } as const
/** Out of ten, by a number or else by a word. */
const tenthsOf = ({ rating, score }: Entry) => {
  if (score !== null) return score / 10
  return rating === null ? undefined : tenPoints[rating]
}
const scoreOf = (entry: Entry) => {
  const value = tenthsOf(entry)
  return value === undefined ? undefined : { value, scale: 10 as const }
}
/** In files that have no halves: half up, and never 0, which is none. */
const wholeScoreOf = (entry: Entry) => {
  const value = tenthsOf(entry)
  return value === undefined ? undefined : { value: Math.max(1, Math.floor(value + 0.5)), scale: 10 as const }
}
const given = (rows: readonly object[]) => rows.map((row) => JSON.parse(JSON.stringify(row)))

const runs = { numRuns: 150 }

test('any list written for MyAnimeList is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      const document = malDocument(
        'mio',
        list.flatMap(({ status }) => status ?? []),
        each(list),
      )
      const { source, rows } = await rowsOf(packed(document))
      expect(source).toBe('mal')
      expect(given(rows)).toEqual(
        given(
          list.map((one) => ({
            sourceId: one.malId,
            refs: [{ site: 'mal', id: one.malId }],
            title: legible(one.title).trim(),
            media: one.media === 'other' ? undefined : one.media,
            status: one.status,
            progress: one.progress,
            total: one.total || undefined,
            score: wholeScoreOf(one),
            startedOn: whole(one.startedOn),
            finishedOn: whole(one.finishedOn),
            rewatches: one.rewatches,
            note: legible(one.note),
          })),
        ),
      )
    }),
    runs,
  )
})

test('any list written for Yamtrack is read back unchanged, including works unknown to MyAnimeList', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.boolean(), async (list, isKnown) => {
      const written = list.map((one) => ({ ...one, malId: isKnown ? one.malId : '' }))
      const { source, rows } = await rowsOf(yamtrackCsv(each(written)))
      expect(source).toBe('yamtrack')
      expect(given(rows)).toEqual(
        given(
          list.map((one) => ({
            sourceId: isKnown ? one.malId : String(one.workId),
            refs: isKnown ? [{ site: 'mal', id: one.malId }] : [],
            title: legible(one.title),
            status: one.status,
            progress: one.progress,
            score: scoreOf(one),
            startedOn: whole(one.startedOn),
            finishedOn: whole(one.finishedOn),
            rewatches: one.rewatches,
            note: legible(one.note),
            updatedAt: one.changedAt,
          })),
        ),
      )
    }),
    runs,
  )
})

test('any list written for Simkl is read back unchanged, except for what it cannot hold', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      const { source, rows } = await rowsOf(simklCsv(each(list)))
      expect(source).toBe('simkl')
      expect(given(rows)).toEqual(
        given(
          list.map((one) => ({
            sourceId: '',
            refs: [{ site: 'mal', id: one.malId }],
            title: legible(one.title),
            year: one.year ?? undefined,
            status: one.status,
            progress: one.progress || undefined,
            score: wholeScoreOf(one),
            finishedOn: one.status === 'watched' ? whole(one.finishedOn) : undefined,
            note: legible(one.note),
            mayBeOther: false,
          })),
        ),
      )
    }),
    runs,
  )
})

test('a note of a mebibyte survives every format', async () => {
  const note = '長い]]>感想"\n'.repeat(104_857).slice(0, 1_048_000)
  const [sample] = fc.sample(entry, 1)
  const list = [{ ...(sample as Entry), note }]
  for (const pieces of [malDocument('mio', [], each(list)), yamtrackCsv(each(list)), simklCsv(each(list))])
    expect((await rowsOf(pieces)).rows.map((row) => row.note === note)).toEqual([true])
})
