import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { precisions, watchedAt, watchedOf, watchedText } from '../../src/library/watched'
import { InvalidValue } from '../../src/values/value'
import { type Body, createInstance, type Instance } from '../support/instance'
import { type Params, type Person, personOf } from '../support/people'

let kiroku: Instance
let mio: Person
beforeAll(async () => {
  kiroku = await createInstance()
  mio = await personOf(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const path = '/v1/me/records'
const record = (params: Params = {}): Promise<Body> => mio.done('POST', path, { episode_id: 1, ...params })

describe('when something was watched (D61)', () => {
  test.each([
    ['2026-03-05T23:30:00+09:00', undefined, '2026-03-05T14:30:00.000Z', 'time'],
    ['2026-03-05', undefined, '2026-03-05', 'day'],
    ['2016-02', undefined, '2016-02', 'month'],
    ['2016', undefined, '2016', 'year'],
    ['2026-03-05T23:30:00+09:00', 'day', '2026-03-05', 'day'],
    ['2026-03-05T23:30:00+14:00', 'day', '2026-03-05', 'day'],
    ['2026-03-05T00:30:00-12:00', 'day', '2026-03-05', 'day'],
    ['2026-03-05', 'month', '2026-03', 'month'],
    ['2026-03-05', 'year', '2026', 'year'],
    ['2026-03-05', 'none', null, 'none'],
    [undefined, 'none', null, 'none'],
  ])('%s, %s', async (watched_at, watched_at_precision, text, precision) => {
    const sent = Object.entries({ watched_at, watched_at_precision }).filter(
      ([, value]) => value !== undefined,
    )
    const made = await record(Object.fromEntries(sent))
    expect([made.watched_at, made.watched_at_precision]).toEqual([text, precision])
  })

  test('a record counts at that time if the day is known, at noon, otherwise when it was written', async () => {
    const createdAt = async (watched_at: string) => (await record({ watched_at })).created_at
    expect(await createdAt('2026-03-05')).toBe('2026-03-05T12:00:00.000Z')
    expect(
      (await record({ watched_at: '2026-03-05T01:00+09:00', watched_at_precision: 'day' })).created_at,
    ).toBe('2026-03-05T03:00:00.000Z')
    const now = new Date(kiroku.clock.now).toISOString()
    expect([await createdAt('2026-03'), await createdAt('2016')]).toEqual([now, now])
  })

  test.each([
    [{ watched_at: '2026-02-30' }, 'watched_at must be a date and time with its zone'],
    [{ watched_at: '2026-13' }, 'watched_at must be'],
    [{ watched_at: '2016-1' }, 'watched_at must be'],
    [{ watched_at: '2026-04-03' }, 'watched_at must not be in the future.'],
    [{ watched_at: '2027' }, 'watched_at must not be in the future.'],
    [{ watched_at: '1899' }, 'watched_at must not be before the year 1900.'],
    [
      { watched_at: '2016', watched_at_precision: 'day' },
      'watched_at_precision must not be finer than watched_at.',
    ],
    [{ watched_at_precision: 'day' }, 'watched_at_precision requires watched_at, unless it is none.'],
    [{ watched_at: '2016', watched_at_precision: 'week' }, 'watched_at_precision must be'],
  ])('%j is refused', async (sent, said) => {
    const [rule] = await mio.refused('invalid_params', 'POST', path, { episode_id: 1, ...sent })
    expect(rule).toStartWith(said)
  })

  test('an edit changes both, and clearing the time clears how exactly it is known', async () => {
    const { id } = await record({ watched_at: '2016' })
    const edit = (params: Params): Promise<Body> => mio.done('PATCH', `${path}/${id}`, params)
    expect(await edit({ comment: 'x' })).toMatchObject({ watched_at: '2016', watched_at_precision: 'year' })
    expect(await edit({ watched_at: '2016-05' })).toMatchObject({ watched_at: '2016-05' })
    expect(await edit({ watched_at_precision: 'none' })).toMatchObject({ watched_at: null })
    const { watched_at, watched_at_precision, created_at } = await edit({ watched_at: '' })
    expect([watched_at, watched_at_precision]).toEqual([created_at, 'time'])
    await mio.refused('invalid_params', 'PATCH', `${path}/${id}`, { watched_at_precision: 'day' })
  })

  test('the episodes of a bulk request share the same', async () => {
    const params = { episode_ids: '2,3', watched_at: '2015-08' }
    const { records } = await mio.done('POST', `${path}/bulk`, params)
    expect(records.map((one: Body) => one.watched_at)).toEqual(['2015-08', '2015-08'])
  })

  test('whatever is accepted is returned as it was sent, or less exactly', () => {
    const param = watchedAt('x')
    const now = Date.UTC(2026, 10, 22)
    const day = fc.date({ min: new Date('1900-01-02'), max: new Date(now), noInvalidDate: true })
    const text = fc
      .tuple(day, fc.constantFrom(4, 7, 10))
      .map(([date, length]) => date.toISOString().slice(0, length))
    fc.assert(
      fc.property(text, fc.constantFrom(undefined, ...precisions), (sent, precision) => {
        const read = param.read(sent, now)
        if (read instanceof InvalidValue) throw new Error(`${sent} is refused`)
        let watched: ReturnType<typeof watchedOf>
        try {
          watched = watchedOf(read, precision, now)
        } catch {
          return
        }
        const shown = watchedText(watched.watched_at, watched.watched_at_precision)
        expect(watched.watched_at).toBeLessThanOrEqual(now)
        if (shown !== null) expect(sent).toStartWith(shown)
      }),
    )
  })
})
