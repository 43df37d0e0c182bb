import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'
import { RefusedFile } from '../../src/transfer/file/refused-file'
import { readers } from '../../src/transfer/readers'
import type { ListRow } from '../../src/transfer/row'
import { temporaryDirectory } from '../support/kiroku'

const folder = join(import.meta.dir, 'lists')

interface ExpectedRow {
  readonly state: string
  readonly reason?: string | null
  readonly source_id?: string | null
  readonly status?: string | null
  readonly review_body?: string
  readonly started_on?: string | null
  readonly finished_on?: string | null
  readonly rewatches?: number
}

interface Expected {
  readonly source: string
  readonly file_error?: string
  readonly rows: readonly ExpectedRow[]
}

const expectations = [...new Bun.Glob('*/*.expected.json').scanSync(folder)]
  .sort()
  .map((name): [string, Expected] => [
    name.replace('.expected.json', ''),
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ])

async function read(name: string): Promise<{ source: string; rows: readonly ListRow[] }> {
  const { reader, contents } = await detect(join(folder, name), name)
  return { source: reader.source, rows: await Array.fromAsync(reader.rows(contents)) }
}

test('every reader has a sample file in test/transfer/lists that it recognises, with what is in it', async () => {
  const described = [...new Bun.Glob('*/*.{expected,rows}.json').scanSync(folder)]
  const samples = new Set(described.map((name) => name.replace(/\.(?:expected|rows)\.json$/, '')))
  const known = await Promise.all(
    [...samples].map(
      async (name) => (await detect(join(folder, name), name).catch(refusal))?.reader.recognises,
    ),
  )
  const lacking = readers.filter(({ recognises }) => !known.includes(recognises))
  expect(lacking.map(({ source }) => source)).toEqual([])
})

const refusal = (cause: unknown) => {
  if (!(cause instanceof RefusedFile)) throw cause
  return undefined
}

/** Sources whose rows are series: their works are found later. */
const bySeries = new Set(['trakt', 'tvtime'])

test.each(expectations.filter(([, { file_error }]) => file_error === undefined))(
  'a list is recognised by what is in it, and each line is read: %s',
  async (name, expected) => {
    const { source, rows } = await read(name)
    expect(source).toBe(expected.source)
    if (bySeries.has(source)) return
    expect(rows.map(shown)).toEqual(expected.rows.map((row, index) => shownAs(row, rows[index])))
  },
)

test("AniList gives the time of an entry's change in seconds", async () => {
  const { rows } = await read('anilist/collection-point100.json')
  const years = rows.map(({ updatedAt = 0 }) => new Date(updatedAt).getUTCFullYear())
  expect(years.every((year) => year > 2000 && year < 2100)).toBe(true)
})

test('MyAnimeList’s years of two digits are those of this century up to 49', async () => {
  using directory = temporaryDirectory()
  const years = ['00', '19', '49', '50', '99']
  const entries = years.map((year) => ({
    anime_id: 1,
    status: 2,
    num_watched_episodes: 1,
    start_date_string: `04-07-${year}`,
  }))
  await Bun.write(directory.file('load.json'), JSON.stringify(entries))
  const { reader, contents } = await detect(directory.file('load.json'), 'load.json', 'mal')
  const rows = await Array.fromAsync(reader.rows(contents))
  expect(rows.map(({ startedOn }) => startedOn)).toEqual(
    ['2000', '2019', '2049', '1950', '1999'].map((year) => `${year}-04-07`),
  )
})

test.each([...new Bun.Glob('*/*.rows.json').scanSync(folder)].sort())(
  'rows say what is in the file, and nothing else: %s',
  async (name) => {
    const { rows } = await read(name.replace('.rows.json', ''))
    const expected: readonly object[] = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    expect<unknown>(rows.map(toldOf)).toEqual(expected.map((row) => ({ ...nothingTold, ...row })))
  },
)

const nothingTold = { status: null, note: '', skipped: null, refs: [], plays: [] }

/** A row as `….rows.json` has it. Works are `mal/5114`, with a season `tvdb/78857/2`; a score is `4.5/5`. */
const toldOf = ({
  sourceId,
  title,
  status,
  note,
  skipped,
  plays = [],
  refs,
  score,
  updatedAt,
  ...more
}: ListRow) => ({
  ...{ source_id: sourceId, title, status: status ?? null, note: note ?? '', skipped: skipped ?? null },
  refs: refs.map(({ site, id, season }) => [site, id, ...(season === undefined ? [] : [season])].join('/')),
  // Season, episode and time; rating and comment if there are any.
  plays: plays.map(({ season, episode, watchedAt, rating, comment }) => {
    const at = typeof watchedAt === 'number' ? new Date(watchedAt).toISOString() : watchedAt
    return [season ?? null, episode, at ?? null, ...(rating ? [rating, comment ?? ''] : [])]
  }),
  ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt).toISOString() }),
  ...(score && { score: `${score.value}/${score.scale ?? '?'}` }),
  ...moreOf(more),
})

/** Everything else that the reader says; kiroku's own data has a test of its own. */
const moreOf = (more: Partial<ListRow>) =>
  Object.fromEntries(Object.entries(more).filter(([name, value]) => name !== 'own' && value !== undefined))

/** The part of a row that the reader alone determines. */
interface Shown {
  readonly sourceId: string
  readonly status: string | null
  readonly note: string
  readonly startedOn: string | null
  readonly finishedOn: string | null
  readonly rewatches: number
  readonly skipped: string | null
  readonly hasError: boolean
}

const shown = (row: ListRow): Shown => ({
  sourceId: row.sourceId,
  status: row.status ?? null,
  note: row.note ?? '',
  startedOn: row.startedOn ?? null,
  finishedOn: row.finishedOn ?? dayOfFilm(row),
  rewatches: row.rewatches ?? 0,
  skipped: row.skipped ?? null,
  hasError: row.error !== undefined,
})

/** For a source that has the days of films as plays. */
const dayOfFilm = ({ media, plays = [] }: ListRow): string | null => {
  const [play] = media === 'movie' ? plays : []
  return typeof play?.watchedAt === 'string' ? play.watchedAt : null
}

/** Values without an expectation are not asserted: the row's own are used. */
function shownAs(expected: ExpectedRow, row: ListRow | undefined): Shown {
  const own = shown(row ?? { sourceId: '', title: '', refs: [] })
  const isTaken = expected.state !== 'not_found' && expected.reason !== 'not_anime'
  const given = <T>(value: T | null | undefined, other: T): T => (isTaken ? (value ?? other) : other)
  return {
    sourceId: given(expected.source_id, own.sourceId),
    // A history without a list has no status: planning derives it from the plays.
    status: own.status === null || expected.status === undefined || !isTaken ? own.status : expected.status,
    note: given(expected.review_body, own.note),
    startedOn: expected.started_on === undefined || !isTaken ? own.startedOn : expected.started_on,
    finishedOn: expected.finished_on === undefined || !isTaken ? own.finishedOn : expected.finished_on,
    rewatches: given(expected.rewatches, own.rewatches),
    skipped: expected.state === 'skipped' && own.skipped !== null ? (expected.reason ?? null) : own.skipped,
    hasError: expected.state === 'error',
  }
}

const refusals: Readonly<Record<string, { file_error: string | null; reads_as?: string; rows?: number }>> =
  JSON.parse(readFileSync(join(folder, 'bad/expected.json'), 'utf8'))

test.each(Object.entries(refusals).filter(([name]) => !/^(?:bomb|deep|many)/.test(name)))(
  'a file that is no list is refused with the reason: %s',
  async (name, { file_error, reads_as, rows }) => {
    const result = await read(`bad/${name}`).catch((cause: unknown) => cause)
    if (file_error === null) expect(result).toMatchObject({ source: reads_as, rows: { length: rows } })
    else expect(result instanceof RefusedFile ? result.problem : result).toBe(file_error)
  },
)
