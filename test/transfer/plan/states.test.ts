import { expect, test } from 'bun:test'
import { episodesOf, hereOf, plan, reviewOf, statusOf } from '../../support/here-samples'

const stateOf = (...input: Parameters<typeof plan>) => {
  const { state, reason } = plan(...input)
  return reason === null ? state : `${state} ${reason}`
}

test('a row that could not be read is an error that names the field', () => {
  const { state, reason, shown, writes } = plan({
    error: 'episode must be a whole number',
    status: 'watched',
  })
  expect([state, reason, shown.warnings, writes]).toEqual([
    'error',
    'episode',
    ['episode must be a whole number'],
    null,
  ])
})

test('a row that the reader skips stays skipped, and still shows its content', () => {
  const { state, reason, shown, writes } = plan({ skipped: 'list', status: 'watched' })
  expect([state, reason, shown.status, writes]).toEqual(['skipped', 'list', 'watched', null])
})

test('a private row is imported only if the user says so', () => {
  const row = { status: 'watched', isPrivate: true } as const
  expect(stateOf(row)).toBe('skipped private')
  expect(stateOf(row, { here: null })).toBe('skipped private')
  expect(stateOf(row, { options: { includesPrivate: true } })).toBe('new')
})

test('an unknown work is not found, or not anime if the source has other things', () => {
  expect(stateOf({ status: 'watched' }, { here: null })).toBe('not_found')
  expect(stateOf({ status: 'watched', mayBeOther: true }, { here: null })).toBe('skipped not_anime')
})

test('a row that may be one of several works is to be checked, whatever else its source has', () => {
  const match = { reason: 'several_works', workId: null } as const
  expect(stateOf({ status: 'watched' }, { here: null, match })).toBe('check several_works')
  expect(stateOf({ status: 'watched', mayBeOther: true }, { here: null, match })).toBe('check several_works')
  expect(plan({ status: 'watched' }, { here: null, match }).writes).toBeNull()
})

test('a row that says nothing about the work is skipped', () => {
  expect(stateOf({})).toBe('skipped nothing_to_import')
  expect(stateOf({ progress: 0, note: ' \n', rewatches: 2, plays: [], watched: [] })).toBe(
    'skipped nothing_to_import',
  )
  for (const row of [
    { status: 'watched' as const },
    { progress: 1 },
    { note: 'a' },
    { rating: 'bad' as const },
    { score: { value: 3 } },
    { plays: [{ episode: 1 }] },
    { watched: [1] },
  ])
    expect(stateOf(row)).toBe('new')
})

test('an uncertain match is to be checked, with what accepting it would write', () => {
  const checked = plan({ status: 'watched', progress: 2 }, { match: { reason: 'title_without_year' } })
  expect([checked.state, checked.reason, checked.writes?.records.length]).toEqual([
    'check',
    'title_without_year',
    2,
  ])
})

test('a row whose content exists is unchanged, under any policy', () => {
  const here = hereOf({
    status: statusOf('watched', { rewatches: 2 }),
    reviews: [reviewOf({ rating_overall_state: 'good', body: '庭' })],
  })
  const row = { status: 'watched', rating: 'good', note: ' 庭\n', rewatches: 1, updatedAt: 9e12 } as const
  for (const conflict of ['keep', 'file', 'newer'] as const)
    expect(stateOf(row, { here, options: { conflict } })).toBe('unchanged')
})

test('the same entry again is a duplicate, unless it adds something', () => {
  const here = hereOf({ status: statusOf('watching') })
  expect(stateOf({ status: 'watching' }, { here, earlier: 'entry' })).toBe('skipped duplicate_in_file')
  expect(stateOf({ status: 'watched' }, { here, earlier: 'entry' })).toBe('skipped duplicate_in_file')
  expect(stateOf({ status: 'watching', progress: 1 }, { here, earlier: 'entry' })).toBe('new')
  expect(stateOf({ status: 'watching' }, { here, earlier: 'work' })).toBe('unchanged')
})

test('an earlier row of the same file takes precedence over a later one, whatever the policy', () => {
  const here = hereOf({ status: statusOf('watching'), reviews: [reviewOf({ body: 'a' })] })
  const row = { status: 'watched', note: 'b' } as const
  const again = plan(row, { here, earlier: 'work', options: { conflict: 'file' } })
  expect([again.state, again.writes?.status, again.writes?.reviews]).toEqual(['conflict', null, []])
})

test('the totals of the file and the catalogue are shown if they differ', () => {
  const totals = (total: number | undefined) => {
    const { fileTotal, catalogueTotal } = plan({ status: 'watched', total }).shown
    return [fileTotal, catalogueTotal]
  }
  expect([totals(13), totals(12), totals(undefined)]).toEqual([
    [13, 12],
    [null, null],
    [null, null],
  ])
})

test('another play of an existing entry is unchanged, because no list has it twice', () => {
  const watchedAt = Date.UTC(2023, 7, 13)
  const episodes = episodesOf(12, { 0: [{ watchedAt, precision: 'time' }] })
  const again = { here: hereOf({ episodes, status: statusOf('watching') }), earlier: 'entry' } as const
  expect(stateOf({ plays: [{ episode: 1, watchedAt }] }, again)).toBe('unchanged')
  expect(stateOf({ progress: 1 }, again)).toBe('skipped duplicate_in_file')
})
