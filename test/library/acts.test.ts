import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Act } from '../../src/library/acts/act'
import { findAct, listActs } from '../../src/library/acts/find-acts'
import { recordEpisode, recordUpTo, skipEpisode } from '../../src/library/acts/record-acts'
import { editViewing, logViewing } from '../../src/library/acts/viewing-acts'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../src/library/acts/work-acts'
import { refusal } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, itemsOf } from '../support/instance'
import { personOf } from '../support/people'

const kiroku = await createInstance()
const { deps, json } = kiroku
const { handle } = kiroku.store
const mio = 1
afterAll(kiroku.close)

/** The episodes of work 1 in order. */
const [first, second, third, last] = [4, 2, 3, 1]
const film = 3

beforeEach(() => {
  const tables = ['acts', 'statuses', 'records', 'reviews', 'activities', 'laps', 'skips', 'notes']
  for (const table of tables) handle.run(`delete from ${table}`)
})

const status = () => rowsOf(handle, 'statuses').map(({ work_id, kind }) => [work_id, kind])
const told = async () =>
  itemsOf(await json('/v1/activities?filter_username=mio')).map(
    ({ action, status }) => status?.kind ?? action,
  )
const recorded = () => rowsOf(handle, 'records').map(({ episode_id, lap }) => [episode_id, lap])
const record = (episodeId: number): Promise<Act> => recordEpisode(deps, mio, { episodeId })

describe('recording an episode', () => {
  test('is refused if it is hidden or does not exist, and nothing is stored', async () => {
    for (const episodeId of [5, 7, 99])
      expect(await refusal(record(episodeId))).toBe(`The episode ${episodeId} does not exist.`)
    expect(rowsOf(handle, 'acts')).toEqual([])
  })

  test('creates a record and its activity, and a work with no status or a planned one becomes watching', async () => {
    const act = await recordEpisode(deps, mio, {
      episodeId: first,
      comment: 'よかった',
      ratingState: 'great',
      watched: { watched_at: Date.UTC(2019, 0, 1, 12), watched_at_precision: 'year' },
    })
    expect(act).toEqual({
      ...{
        id: expect.any(Number),
        kind: 'record',
        listId: 0,
        otherId: null,
        workId: 1,
        episodeId: first,
        count: 1,
        statusKind: null,
      },
      ...{ createdAt: kiroku.clock.now, undoneAt: null, offersWatched: false },
    })
    expect(await json('/v1/records')).toMatchObject({
      records: [{ comment: 'よかった', rating_state: 'great', watched_at: '2019', lap: 1 }],
    })
    expect([status(), await told()]).toEqual([[[1, 'watching']], ['create_record', 'watching']])
    await chooseStatus(deps, mio, { workId: 1, kind: 'wanna_watch' })
    await record(second)
    expect(status()).toEqual([[1, 'watching']])
  })

  test.each(['on_hold', 'stop_watching', 'watched'] as const)('leaves a work that is %s so', async (kind) => {
    await chooseStatus(deps, mio, { workId: 1, kind })
    await record(first)
    expect(status()).toEqual([[1, kind]])
  })

  test('offers watched after the last one of a list that is not estimated', async () => {
    expect((await record(third)).offersWatched).toBe(false)
    const act = await record(last)
    expect(act.offersWatched).toBe(true)
    handle.run('update episodes set estimated = 1 where id = ?', [last])
    expect((await findAct(deps.read, mio, act.id)).offersWatched).toBe(false)
    handle.run('update episodes set estimated = 0 where id = ?', [last])
    await chooseStatus(deps, mio, { workId: 1, kind: 'watched' })
    expect((await findAct(deps.read, mio, act.id)).offersWatched).toBe(false)
  })
})

describe('recording up to an episode', () => {
  test('records the shown ones before it that are neither recorded nor skipped, in one activity', async () => {
    await record(first)
    await skipEpisode(deps, mio, { episodeId: third })
    const act = await recordUpTo(deps, mio, { episodeId: last })
    expect(act).toMatchObject({ kind: 'record', count: 2, episodeId: last, offersWatched: true })
    expect(recorded()).toEqual([
      [first, 1],
      [second, 1],
      [last, 1],
    ])
    expect(await told()).toEqual(['create_record', 'watching', 'create_multiple_records'])
  })

  test('stops at the named one, even if two share a position, by id', async () => {
    await recordUpTo(deps, mio, { episodeId: second })
    expect(recorded()).toEqual([
      [first, 1],
      [second, 1],
    ])
  })

  test('is refused if there are none', async () => {
    await record(first)
    expect(await refusal(recordUpTo(deps, mio, { episodeId: first }))).toBe(
      'episode_id must be an episode that is not recorded in the current lap.',
    )
  })
})

test('a skipped episode is not recorded; one recorded in the lap cannot be skipped (D63)', async () => {
  await skipEpisode(deps, mio, { episodeId: first })
  expect(await refusal(skipEpisode(deps, mio, { episodeId: first }))).toBe('This would change nothing.')
  expect(rowsOf(handle, 'skips')).toMatchObject([{ user_id: mio, episode_id: first, lap: 1 }])
  expect(recorded()).toEqual([])
  await record(second)
  expect(await refusal(skipEpisode(deps, mio, { episodeId: second }))).toBe(
    'episode_id must be an episode that is not recorded in the current lap.',
  )
})

describe('watching again (D63)', () => {
  test('is refused before anything is recorded in the lap', async () => {
    const message = 'work_id must be the id of a work with a record in the current lap.'
    expect(await refusal(startLap(deps, mio, { workId: 1 }))).toBe(message)
    await record(first)
    await startLap(deps, mio, { workId: 1 })
    expect(await refusal(startLap(deps, mio, { workId: 1 }))).toBe(message)
  })

  test('starts a new lap with its own marks', async () => {
    await skipEpisode(deps, mio, { episodeId: second })
    await recordUpTo(deps, mio, { episodeId: last })
    await chooseStatus(deps, mio, { workId: 1, kind: 'watched' })
    await startLap(deps, mio, { workId: 1 })
    expect(status()).toEqual([[1, 'watching']])
    await skipEpisode(deps, mio, { episodeId: first })
    await recordUpTo(deps, mio, { episodeId: second })
    expect(recorded().slice(-2)).toEqual([
      [last, 1],
      [second, 2],
    ])
    const { records } = await json('/v1/records?sort_id=desc&per_page=1')
    expect(records[0].lap).toBe(2)
  })
})

describe('a status', () => {
  test('is set, with its dates (D71), and removed', async () => {
    const act = await chooseStatus(deps, mio, { workId: 1, kind: 'watched', startedOn: '2016-03' })
    expect(act).toMatchObject({ kind: 'status', statusKind: 'watched', count: 0, episodeId: null })
    expect(rowsOf(handle, 'statuses')).toMatchObject([{ started_on: '2016-03', finished_on: null }])
    expect(await refusal(chooseStatus(deps, mio, { workId: 1, kind: 'watched', finishedOn: '2015' }))).toBe(
      'finished_on must not be before started_on.',
    )
    expect(await chooseStatus(deps, mio, { workId: 1, kind: 'no_select' })).toMatchObject({
      statusKind: null,
    })
    expect([status(), await told()]).toEqual([[], ['watched']])
  })
})

describe('a viewing (D60)', () => {
  test('is refused for a work with episodes', async () => {
    expect(await refusal(logViewing(deps, mio, { workId: 1 }))).toBe(
      'work_id must be the id of a work without episodes; for other works, record the episodes.',
    )
  })

  test('makes the film watched, unless it is on hold or dropped, and can be edited', async () => {
    const act = await logViewing(deps, mio, { workId: film, ratingState: 'good', body: '雨' })
    expect(act).toMatchObject({ kind: 'viewing', workId: film, episodeId: null, offersWatched: false })
    expect([status(), await told()]).toEqual([[[film, 'watched']], ['create_review', 'watched']])
    const [{ id } = { id: 0 }] = rowsOf(handle, 'reviews')
    await editViewing(deps, mio, { reviewId: id, ratingState: null })
    expect(rowsOf(handle, 'reviews')).toMatchObject([{ body: '雨', rating_overall_state: null }])
    expect(await refusal(editViewing(deps, 2, { reviewId: id, body: 'x' }))).toBe(
      'The viewing does not exist.',
    )
    await chooseStatus(deps, mio, { workId: film, kind: 'stop_watching' })
    await logViewing(deps, mio, { workId: film })
    expect(status()).toEqual([[film, 'stop_watching']])
  })
})

test('the next episode of a growing list is added, and recorded then (D62)', async () => {
  const act = await addNextEpisode(deps, mio, { workId: 10 })
  expect(act).toMatchObject({ kind: 'episode', workId: 10 })
  await record(act.episodeId ?? 0)
  expect((await addNextEpisode(deps, mio, { workId: 10 })).episodeId).not.toBe(act.episodeId)
  expect(await refusal(addNextEpisode(deps, mio, { workId: 1 }))).toBe(
    'work_id must be the id of a work whose episodes are not all listed.',
  )
  handle.run('delete from records')
  handle.run('delete from episodes where work_id = 10')
})

describe('a note (D64)', () => {
  test('is stored, changed and deleted, and refused if it is too long', async () => {
    const write = (text: string) => writeNote(deps, mio, { workId: 1, text })
    expect(await refusal(write('🍥'.repeat(10_001)))).toBe('text must be at most 10000 characters long.')
    await write('  内緒\n')
    await write('🍥'.repeat(10_000))
    await write('内緒')
    expect(rowsOf(handle, 'notes')).toEqual([
      { user_id: mio, work_id: 1, text: '内緒', updated_at: kiroku.clock.now },
    ])
    await write(' ')
    expect(rowsOf(handle, 'notes')).toEqual([])
  })

  test('is in nobody else’s responses, nor in any of the API', async () => {
    await writeNote(deps, mio, { workId: 1, text: '内緒の言葉' })
    await chooseStatus(deps, mio, { workId: 1, kind: 'watching' })
    const ritsu = await personOf(kiroku, 'Ritsu_T')
    for (const path of ['/v1/me', '/v1/me/works', '/v1/works', '/v1/activities', '/v1/users', '/v1/records'])
      for (const answer of [await json(path), await ritsu.json(path)])
        expect(JSON.stringify(answer)).not.toContain('内緒の言葉')
  })
})

test('acts are listed newest first, page by page, only to their user', async () => {
  await record(first)
  await writeNote(deps, mio, { workId: film, text: '内緒' })
  await chooseStatus(deps, 2, { workId: 1, kind: 'watching' })
  const all = await listActs(deps.read, mio, { limit: 10 })
  expect(all.map(({ kind, title, numberText }) => [kind, title, numberText])).toEqual([
    ['note', expect.any(String), null],
    ['record', '星降る庭', '特別編'],
  ])
  const before = all[0]?.id ?? 0
  expect(await listActs(deps.read, mio, { before, limit: 10 })).toEqual(all.slice(1))
  expect(await refusal(findAct(deps.read, 2, before))).toBe('The act does not exist.')
})
