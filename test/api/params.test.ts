import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import Type from 'typebox'
import { defineCommand } from '../../src/api/command'
import { flagParam, idParam, wordParam } from '../../src/api/param-kinds'
import { type Param, param, required } from '../../src/api/params'
import { endpoints } from '../../src/app'
import { anyText as text } from '../../src/values/text'
import { codePoint } from '../support/code-point'
import { makeRoom, numberless, requiredOf } from '../support/examples'
import {
  type Body,
  createInstance,
  formData,
  query,
  refusals,
  requestOf,
  serveOnly,
  targetOf,
  types,
  withToken,
} from '../support/instance'
import { seedExamples } from '../support/seed-library'

const texts = new Set(['comment', 'body', 'text', 'note', 'player_user'])
/** The value of a field after clearing: a time of watching falls back to that of creation, and nothing is private. */
const clearedOf = (name: string, { created_at: watched_at }: Body) =>
  ({ here: [], digest: [], private: false, watched_at })[name] ?? (texts.has(name) ? '' : null)

const kiroku = await createInstance({ seed: seedExamples })
const { ask } = kiroku
const get: typeof kiroku.get = (target, init) => {
  makeRoom(kiroku.store)
  return kiroku.get(target, init)
}
afterAll(kiroku.close)
/** White space by Unicode, so the parameter counts as absent (D7). */
const blanks = ['', ' ', '\t', '\r\n', '\u00a0', '\u0085', '\u2003', '\u2028', '\u3000', ' \u3000 ']

/** Values that each kind of schema must refuse. */
function badValues({ schema }: Param<unknown>): string[] {
  const { type, format, minimum = 1, maximum = 0, maxLength, enum: words, pattern } = schema as Rules
  if (type === 'integer') {
    const odd = '0 -1 +1 01 1.0 1.5 1e3 0x10 1_000 abc １ ١ NaN Infinity null true 1, 1000000000000000'.split(
      ' ',
    )
    const isOut = (text: string) => !/^(?:0|-?[1-9]\d*)$/.test(text) || Number(text) < minimum
    return [...odd.filter(isOut), ' 1', '1 ', '1\n', String(maximum + 1), String(minimum - 1)]
  }
  if (type === 'boolean') return ['1', '0', 'TRUE', 'True', 'yes', 'on', 't', ' true', 'true\n', 'truefalse']
  if (type === 'number')
    return ['-1', '+1', '5.1', '4.55', '1e0', '.5', '5.', '４', 'NaN', 'good', '1,5', ' 1']
  if (format === 'date-time') return oddTimes
  if (maxLength) return ['x', '星', '🍥'].map((letter) => letter.repeat(maxLength + 1))
  if (words) return words.flatMap((word) => [...otherCases(word), ` ${word}`, `${word}\n`, word + word, 'x'])
  if (pattern === undefined) return []
  const refused = new RegExp(pattern)
  return oddTexts.filter((odd) => !refused.test(odd))
}

const otherCases = (word: string) => [word.toLowerCase(), word.toUpperCase()].filter((one) => one !== word)

interface Rules {
  readonly type: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly pattern?: string
}

const oddTimes = [
  ...['now', '2026-04-01', '2026-03-01T12:00', '2026/03/01 12:00', '2026-02-30T12:00:00Z', '1770000000000'],
  ...['2026-04-01T12:00:01Z', '2026-04-01T25:00:00Z', '2026-03-01T12:00:00+24:00', ' 2026-03-01T12:00:00Z'],
]

const oddTexts = [
  ...['A B', 'a-b'],
  ...['a%b', "a'b", 'a;b', 'a*', 'é', '日本', 'ａ', '１', '!', '2021', '2021-fall', '2021-Spring'],
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

// Endpoints that accept a file are tested in test/transfer/api.
for (const endpoint of endpoints.filter(({ upload }) => upload === undefined)) {
  const { method, path, operation } = endpoint
  describe(`${method} ${path}`, () => {
    const target = targetOf(path)
    const declared = Object.entries(operation.params).filter(([name]) => !path.includes(`:${name}`))
    const asked = (params: Record<string, string>) =>
      get(target + query({ ...requiredOf(endpoint, ...Object.keys(params)), ...params }), { method })
    const answered = async (params: Record<string, string>) => {
      const response = await asked(params)
      return [response.status, numberless(await response.text())]
    }

    for (const [name, param] of declared) {
      test(`${name} refuses what breaks its rule, and names only that`, async () => {
        for (const value of badValues(param)) {
          const said = await refusals(await asked({ [name]: value }), 'invalid_params')
          expect([value, said]).toEqual([value, [expect.stringMatching(new RegExp(`^${name} must .+\\.$`))]])
        }
      })

      test(`${name} accepts its example`, async () => {
        const response = await asked({ [name]: String(param.example) })
        expect(response.status).not.toBe(400)
      })

      if (param.clearable) {
        test(`${name} may be blank, which clears the value (D32)`, async () => {
          for (const blank of blanks) {
            expect((await asked({ [name]: String(param.example) })).ok).toBe(true)
            const response = await asked({ [name]: blank })
            expect(response.ok).toBe(true)
            const changed: Body = response.status === 204 ? {} : await response.json()
            // Values that are not returned are checked in the tests of the endpoint.
            if (name in changed) expect([blank, changed[name]]).toEqual([blank, clearedOf(name, changed)])
          }
        })
      } else if (!param.required && !param.isAlternative) {
        test(`${name} may be blank, which counts as absent`, async () => {
          const without = await answered({})
          for (const blank of blanks) expect(await answered({ [name]: blank })).toEqual(without)
        })
      }
    }

    test('every parameter that breaks its rule is named once, in a single response', async () => {
      const bad = Object.fromEntries(declared.map(([name, param]) => [name, badValues(param)[0] ?? '']))
      const refused = Object.keys(bad).filter((name) => bad[name] !== '')
      if (refused.length === 0) return
      const said = await refusals(await asked(bad), 'invalid_params')
      expect(said.map((one) => one.split(' ')[0] ?? '').sort()).toEqual(refused.sort())
    })

    test('unknown parameters are ignored', async () => {
      // Sends it once before: what it deletes is gone from then on.
      await asked({})
      const none = await answered({})
      expect(await answered({ per: 'x', 'other[]': '1', PAGE: '0', '': 'x', 1: '2' })).toEqual(none)
    })

    test('of a repeated parameter the last one counts', async () => {
      const [name, param] = declared.find(([, { schema }]) => 'pattern' in schema) ?? []
      if (name === undefined || param === undefined) return
      const good = `${name}=${encodeURIComponent(String(param.example))}`
      const { [name]: _, ...others } = requiredOf(endpoint)
      const sent = async (pairs: string) => get(`${target}${query(others)}&${pairs}`, { method })
      expect((await sent(`${name}=%21&${good}`)).status).not.toBe(400)
      expect(await refusals(await sent(`${good}&${name}=%21`), 'invalid_params')).toHaveLength(1)
    })

    if (method !== 'GET') {
      test('a form, multipart and JSON are read like the query', async () => {
        for (const [name, param] of declared) {
          const params = { ...requiredOf(endpoint, name), [name]: badValues(param)[0] ?? 'x' }
          const inQuery = await answered(params)
          const json = { body: JSON.stringify(params), headers: { 'content-type': types.json } }
          for (const init of [{ body: new URLSearchParams(params) }, { body: formData(params) }, json]) {
            const inBody = await get(target, { method, ...init })
            expect([inBody.status, numberless(await inBody.text())]).toEqual(inQuery)
          }
        }
      })
    }

    if (declared.length === 0) return

    test('any text in any parameter is accepted or refused, and never a fault', async () => {
      const params = fc.dictionary(fc.constantFrom(...declared.map(([name]) => name)), anyText, {
        maxKeys: 4,
      })
      await fc.assert(
        fc.asyncProperty(params, async (chosen) => {
          const response = await asked(chosen)
          if (response.status === 404 && method !== 'GET') await refusals(response, 'not_found')
          else if (response.status !== 400) expect(response.status).toBeLessThan(300)
          else await refusals(response, 'invalid_params')
        }),
        { numRuns: 100 },
      )
    })
  })
}

const anyText = fc.oneof(
  fc.string({ unit: codePoint }),
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
    id: required(idParam('An id', 1)),
    word: required(wordParam(['good', 'bad'], 'A word')),
    note: param(text, 'A note', 'x'),
    loud: flagParam('Whether it is loud'),
  },
  answers: () => Type.Object({ id: Type.Integer() }),
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

  test('is accepted; text is kept as it is, including white space around it', async () => {
    const response = await asked({ id: '7', word: 'bad', note: ' a\n\u3000b ', loud: 'false' })
    expect(await response.json()).toEqual({ id: 7, word: 'bad', note: ' a\n\u3000b ', loud: false })
  })

  test('is refused even if the token is missing', async () => {
    await refusals(await ask('/v1/works?page=0'), 'unauthorized')
  })
})
