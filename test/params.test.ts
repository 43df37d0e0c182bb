import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import Type from 'typebox'
import { endpoints } from '../src/app'
import { defineCommand } from '../src/http/command'
import { flag, integer, oneOf, type Param, required, text } from '../src/http/params'
import {
  createInstance,
  formData,
  query,
  refusals,
  requestOf,
  serveOnly,
  targetOf,
  types,
  withToken,
} from './instance'

const kiroku = await createInstance()
const { ask, get } = kiroku
afterAll(kiroku.close)

/** Blank to Unicode, so absent (D7). */
const blanks = ['', ' ', '\t', '\r\n', '\u00a0', '\u0085', '\u2003', '\u2028', '\u3000', ' \u3000 ']

/** What each kind of schema must refuse. */
function badValues({ schema }: Param<unknown>): string[] {
  const { type, maximum = 0, enum: words, pattern } = schema as Rules
  if (type === 'integer') {
    const odd = '0 -1 +1 01 1.0 1.5 1e3 0x10 1_000 abc １ ١ NaN Infinity null true 1, 1000000000000000'.split(
      ' ',
    )
    return [...odd, ' 1', '1 ', '1\n', String(maximum + 1)]
  }
  if (type === 'boolean') return ['1', '0', 'TRUE', 'True', 'yes', 'on', 't', ' true', 'true\n', 'truefalse']
  if (words) return words.flatMap((word) => [word.toUpperCase(), ` ${word}`, `${word}\n`, word + word, 'x'])
  if (pattern === undefined) return []
  const refused = new RegExp(pattern)
  return oddTexts.filter((odd) => !refused.test(odd))
}

interface Rules {
  readonly type: string
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly pattern?: string
}

const oddTexts = [
  ...[
    'A B',
    'a-b',
    'a%b',
    "a'b",
    'a;b',
    'a*',
    'é',
    '日本',
    'ａ',
    '１',
    '!',
    '2021',
    '2021-fall',
    '2021-Spring',
  ],
  ...[
    '21-spring',
    '２０２１-spring',
    '2021-spring ',
    '12021-spring',
    '1 ',
    ' 1',
    '1\n',
    'a\n',
    '-1',
    '<',
    '🍥',
  ],
]

for (const { method, path, operation } of endpoints) {
  describe(`${method} ${path}`, () => {
    const target = targetOf(path)
    const declared = Object.entries(operation.params).filter(([name]) => !path.includes(`:${name}`))
    const asked = (params: Record<string, string>) => get(target + query(params), { method })

    for (const [name, param] of declared) {
      test(`${name} refuses what breaks its rule, and only that is named`, async () => {
        for (const value of badValues(param)) {
          const said = await refusals(await asked({ [name]: value }), 'invalid_params')
          expect([value, said]).toEqual([value, [expect.stringMatching(new RegExp(`^${name} must .+\\.$`))]])
        }
      })

      test(`${name} takes its example`, async () => {
        const response = await asked({ [name]: String(param.example) })
        expect(response.status).not.toBe(400)
      })

      if (!param.required) {
        test(`${name} may be blank, which is to be absent`, async () => {
          const [without, none] = [await asked({}), await (await asked({})).text()]
          for (const blank of blanks) {
            const response = await asked({ [name]: blank })
            expect([blank, response.status, await response.text()]).toEqual([blank, without.status, none])
          }
        })
      }
    }

    test('every parameter that breaks its rule is named once, in one answer', async () => {
      const bad = Object.fromEntries(declared.map(([name, param]) => [name, badValues(param)[0] ?? '']))
      const refused = Object.keys(bad).filter((name) => bad[name] !== '')
      if (refused.length === 0) return
      const said = await refusals(await asked(bad), 'invalid_params')
      expect(said.map((one) => one.split(' ')[0] ?? '').sort()).toEqual(refused.sort())
    })

    test('unknown parameters are ignored', async () => {
      const none = await (await asked({})).text()
      expect(await (await asked({ per: 'x', 'filter_ids[]': '1', PAGE: '0', '': 'x', 1: '2' })).text()).toBe(
        none,
      )
    })

    test('of a repeated parameter the last one counts', async () => {
      const [name, param] = declared.find(([, { schema }]) => 'pattern' in schema) ?? []
      if (name === undefined || param === undefined) return
      const good = `${name}=${encodeURIComponent(String(param.example))}`
      expect((await get(`${target}?${name}=%21&${good}`, { method })).status).not.toBe(400)
      expect(
        await refusals(await get(`${target}?${good}&${name}=%21`, { method }), 'invalid_params'),
      ).toHaveLength(1)
    })

    if (method !== 'GET') {
      test('a form, parts and JSON are read as the query is', async () => {
        for (const [name, param] of declared) {
          const params = { [name]: badValues(param)[0] ?? 'x' }
          const inQuery = await asked(params)
          const json = { body: JSON.stringify(params), headers: { 'content-type': types.json } }
          for (const init of [{ body: new URLSearchParams(params) }, { body: formData(params) }, json]) {
            const inBody = await get(target, { method, ...init })
            expect([inBody.status, await inBody.text()]).toEqual([
              inQuery.status,
              await inQuery.clone().text(),
            ])
          }
        }
      })
    }

    test('any text in any parameter is understood or refused, and is never a fault', async () => {
      const params = fc.dictionary(fc.constantFrom(...declared.map(([name]) => name)), anyText, {
        maxKeys: 4,
      })
      await fc.assert(
        fc.asyncProperty(params, async (chosen) => {
          const response = await asked(chosen)
          if (response.status !== 400) expect(response.status).toBeLessThan(300)
          else await refusals(response, 'invalid_params')
        }),
        { numRuns: 300 },
      )
    })
  })
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'019,-.ascdetru%_*"\'()^ \u3000ア') }),
  fc.constantFrom(
    'asc',
    '2021-all',
    '0000-all',
    '9999-winter',
    '1'.repeat(15),
    ',',
    '"',
    '*',
    'a AND b',
    '--',
  ),
)

const wanted = defineCommand({
  method: 'POST',
  path: '/v1/wanted',
  tag: 'Test',
  summary: 'Answers what it was sent',
  params: {
    id: required(integer('An id')),
    word: required(oneOf(['good', 'bad'], 'A word')),
    note: text('A note', 'x'),
    loud: flag('Whether it is loud'),
  },
  answers: Type.Object({ id: Type.Integer() }),
  run: async ({ id, word, note = null, loud = null }) => ({ id, word, note, loud }),
})

describe('a required parameter', () => {
  const serve = serveOnly(wanted, kiroku)
  const asked = (params: Record<string, string>) =>
    serve(requestOf(`/v1/wanted${query(params)}`, withToken(kiroku.token, { method: 'POST' })), '192.0.2.1')

  test.each(blanks)('is refused when it is %j', async (blank) => {
    const said = await refusals(await asked({ id: blank, word: 'ugly', loud: 'no' }), 'invalid_params')
    expect(said).toEqual(['id is required.', 'word must be one of good, bad.', 'loud must be true or false.'])
  })

  test('is read; text is taken as it is, white space around it too', async () => {
    const response = await asked({ id: '7', word: 'bad', note: ' a\n\u3000b ', loud: 'false' })
    expect(await response.json()).toEqual({ id: 7, word: 'bad', note: ' a\n\u3000b ', loud: false })
  })

  test('is refused before a missing token is forgiven', async () => {
    await refusals(await ask('/v1/works?page=0'), 'unauthorized')
  })
})
