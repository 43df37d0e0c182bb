import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, withToken } from '../support/instance'
import { type Params, personOf } from '../support/people'

const kiroku = await createInstance()
const { json } = kiroku
const mio = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

const path = '/v1/me/records'
const record = (params: Params = {}): Promise<Body> => mio.done('POST', path, { episode_id: 1, ...params })
const edit = (id: number, params: Params): Promise<Body> => mio.done('PATCH', `${path}/${id}`, params)

describe('a comment (D13)', () => {
  test.each(['x', '星', '🍥'])('may have 10,000 code points %s, not one more', async (letter) => {
    const whole = letter.repeat(10_000)
    expect((await record({ comment: ` ${whole}\u3000` })).comment).toBe(whole)
    const said = await mio.refused('invalid_params', 'POST', path, {
      episode_id: 1,
      comment: whole + letter,
    })
    expect(said).toEqual(['comment must be at most 10000 characters long.'])
  })

  test('is stored as written, except for white space around it', async () => {
    const odd = 'a\r\n\tb  <b>&amp;</b> "\\" \u200d👨‍👩‍👧 e\u0301 ﷽ %_'
    const { id } = await record({ comment: `\n\u3000${odd}\u2003` })
    const [kept] = (await json(`/v1/records?filter_ids=${id}`)).records
    expect(kept.comment).toBe(odd)
  })

  test.each(['\u0085x\u0085', '\u2028x\u2029', '\u00a0x\u00a0'])(
    '%j is trimmed as Unicode says (D7)',
    async (comment) => {
      expect((await record({ comment })).comment).toBe('x')
    },
  )

  test.each(['', ' ', '\u0085', '\u3000\u2028'])('%j is none (D7)', async (comment) => {
    expect((await record({ comment })).comment).toBe('')
  })

  test('with a NUL or a lone surrogate is refused (D12)', async () => {
    for (const comment of ['a\0b', '\ud800']) {
      await mio.refused('invalid_params', 'POST', path, { episode_id: 1, comment })
    }
  })
})

describe('ratings (D33)', () => {
  test.each<[unknown, number | null, string | null]>([
    [0, 0, null],
    ['0', 0, null],
    ['0.0', 0, null],
    [0.1, 0.1, 'bad'],
    [2.9, 2.9, 'bad'],
    [3, 3, 'average'],
    [3.4, 3.4, 'average'],
    ['3.5', 3.5, 'good'],
    ['3.50', 3.5, 'good'],
    [4.4, 4.4, 'good'],
    [4.5, 4.5, 'great'],
    [5, 5, 'great'],
    ['5.0', 5, 'great'],
    [null, null, null],
    ['', null, null],
  ])('rating %p is kept as %p with the state %p', async (rating, kept, state) => {
    expect(await record({ rating })).toMatchObject({ rating: kept, rating_state: state })
  })

  test.each([-1, 5.1, 6, 4.55, 0.01, '1e0', '+3', ' 3', '3 ', '3,5', '.5', '5.', 'great', true, '0x1'])(
    'rating %p is refused',
    async (rating) => {
      const said = await mio.refused('invalid_params', 'POST', path, { episode_id: 1, rating })
      expect(said).toEqual(['rating must be a number from 0 to 5 in steps of 0.1.'])
    },
  )

  test('every step of 0.1 is stored as sent', async () => {
    const { id } = await record()
    for (let step = 0; step <= 50; step++) {
      const rating = (step / 10).toFixed(1)
      expect((await edit(id, { rating })).rating).toBe(Number(rating))
    }
  })

  test('a state that is sent always wins, whatever the number', async () => {
    expect(await record({ rating: 5, rating_state: 'bad' })).toMatchObject({ rating: 5, rating_state: 'bad' })
    expect(await record({ rating: 0, rating_state: 'good' })).toMatchObject({
      rating: 0,
      rating_state: 'good',
    })
    expect(await record({ rating: 4, rating_state: '' })).toMatchObject({ rating_state: 'good' })
  })
})

test('a token that may only write deletes a record, one that may only read does not', async () => {
  const [write, read] = [await kiroku.tokenOf('mio', 'write'), await kiroku.tokenOf('mio', 'read')]
  const { id } = await record()
  const asked = (token: string) => kiroku.ask(`${path}/${id}`, withToken(token, { method: 'DELETE' }))
  expect((await asked(read)).status).toBe(403)
  expect((await asked(write)).status).toBe(204)
})
