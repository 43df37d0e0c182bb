import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Check } from 'typebox/schema'
import { endpoints } from '../../src/app'
import * as cells from '../../src/catalogue/import/kinds/cells'
import { kinds } from '../../src/catalogue/import/kinds/kinds'
import { optionTable } from '../../src/config'
import { slotDay } from '../../src/library/showings/slots'
import { watchedAt } from '../../src/library/watched'
import { languages, messagesIn } from '../../src/messages/languages'
import { ask } from '../../src/oauth/authorize/authorize'
import { oauthEndpoints } from '../../src/oauth/routes'
import { decimal } from '../../src/values/number'
import { prose } from '../../src/values/text'
import { moment, partialDate, timeZone } from '../../src/values/time'
import { InvalidValue, type Value } from '../../src/values/value'
import { codePoint } from '../support/code-point'
import { exported, others, type Sample, samples } from '../support/value-samples'

interface Rules {
  readonly type?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

const rulesOf = ({ schema }: Value<unknown>) => schema as unknown as Rules

const isRead = (value: Value<unknown>, text: string) => !(value.read(text) instanceof InvalidValue)

/** Texts almost like good ones: with a character more, less, twice or replaced, with white space, in another case. */
function nearly(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const odd = fc.constantFrom(...' \n,-.:/@0x１é　🍥\0\ud800'.split(''), '\u2028', '00', ',,')
  const step = fc.tuple(fc.nat(), fc.constantFrom('insert', 'delete', 'replace', 'double', 'upper'), odd)
  return fc.tuple(texts, fc.array(step, { maxLength: 2 })).map(([text, steps]) =>
    steps.reduce((before, [where, how, character]) => {
      const at = where % (before.length + 1)
      const [start, end] = [before.slice(0, at), before.slice(at)]
      if (how === 'insert') return start + character + end
      if (how === 'delete') return start + end.slice(1)
      if (how === 'replace') return start + character + end.slice(1)
      return how === 'double' ? before + before : before.toUpperCase()
    }, text),
  )
}

/** Texts that the schema allows, and texts close to them. */
function bordering(value: Value<unknown>, good: readonly string[]): fc.Arbitrary<string> {
  const { pattern, enum: words = [], minimum = 0, maximum = 0 } = rulesOf(value)
  const numbers = fc.integer({ min: minimum - 2, max: maximum + 2 }).map(String)
  const matching =
    pattern === undefined || /\(\?=|\\p|\\S/.test(pattern)
      ? []
      : [fc.stringMatching(new RegExp(pattern), { maxLength: 150 })]
  const known = fc.constantFrom(...good, ...words)
  return nearly(
    fc.oneof(known, ...matching, ...(maximum > 0 ? [numbers] : []), fc.string({ unit: codePoint })),
  )
}

/** The value by which the schema judges a text: the number it stands for, otherwise the text itself. */
function judged(value: Value<unknown>, text: string): unknown {
  return rulesOf(value).type === 'string' ? text : value.read(text)
}

function holds({ value, good, isStricter }: Sample, judge = judged): void {
  for (const text of good) expect([text, isRead(value, text)]).toEqual([text, true])
  fc.assert(
    fc.property(bordering(value, good), (text) => {
      const isAllowed = Check(value.schema, judge(value, text))
      if (isRead(value, text)) expect([text, isAllowed]).toEqual([text, true])
      else if (!isStricter) expect([text, isAllowed]).toEqual([text, false])
    }),
    { numRuns: 300 },
  )
}

test('there is a sample of every kind of value', () => {
  expect(Object.keys(exported).sort()).toEqual([...Object.keys(samples), ...others].sort())
})

describe('a text is accepted exactly if its schema allows it:', () => {
  // These strip the white space around a text.
  const own = ['prose', 'lineUpTo'] as const
  for (const [name, sample] of Object.entries(samples).filter(([name]) => !own.some((one) => one === name)))
    test(name, () => holds(sample))

  test.each(own)('%s', (name) => holds(samples[name] as Sample, (value, text) => value.read(text)))

  // Kinds that refuse more than a schema can express are few, and named.
  const stricter: readonly Value<unknown>[] = [moment, partialDate, slotDay, timeZone, watchedAt('')]
  const params = [...endpoints, ...oauthEndpoints, ask].flatMap(({ method, path, operation }) =>
    Object.entries(operation.params).map(([name, param]) => [`${name} of ${method} ${path}`, param] as const),
  )
  test.each(params)('%s', (_, param) => {
    if (stricter.some(({ read }) => read === param.read)) return
    const isDecimal = rulesOf(param).type === 'number'
    const isProse = 'maxLength' in param.schema
    holds(
      { value: param, good: [String(param.example)], ...(isDecimal && { isStricter: true }) },
      (value, text) => (isProse ? value.read(text) : judged(value, text)),
    )
  })
})

test('every number that a schema allows is accepted as text', () => {
  const numbered = [samples.integerUpTo, samples.positiveInteger, samples.wholeNumber] as Sample[]
  for (const { value } of numbered) {
    const { minimum = 0, maximum = 0 } = rulesOf(value)
    fc.assert(fc.property(fc.integer({ min: minimum, max: maximum }), (n) => value.read(String(n)) === n))
    for (const n of [minimum, maximum]) expect(value.read(String(n))).toBe(n)
    for (const n of [minimum - 1, maximum + 1]) expect(isRead(value, String(n))).toBe(false)
  }
  for (const tenths of Array(51).keys()) expect(decimal(5, 0.1).read(String(tenths / 10))).toBe(tenths / 10)
})

test('a cell accepts no JSON that its schema refuses, and only texts, numbers and booleans', () => {
  const values = new Set([...kinds.flatMap(({ fields }) => fields.map((field) => field.value)), cells.key])
  const good = [
    'https://example.com/',
    '2024-02-29',
    '2024-01-05T15:30:00Z',
    'P7D',
    'TV',
    '東京都',
    'annict:4168',
  ]
  const words = nearly(
    fc.oneof(fc.constantFrom(...good, '2023-autumn', '7', ''), fc.string({ unit: codePoint })),
  )
  const json = fc.oneof(
    { weight: 4, arbitrary: words },
    fc.jsonValue(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
  )
  fc.assert(
    fc.property(json, (one) => {
      for (const value of values) {
        const isTaken = !(value.take(one) instanceof InvalidValue)
        if (isTaken) expect([one, Check(value.schema, one)]).toEqual([one, true])
        if (typeof one === 'object') expect(isTaken).toBe(false)
      }
    }),
    { numRuns: 1000 },
  )
})

test('every refusal has a message in every language', () => {
  const all = [...Object.values(samples).map(({ value }) => value), ...optionTable.map(({ value }) => value)]
  const values = [...all, ...kinds.flatMap(({ fields }) => fields.map((field) => field.value)), prose(5)]
  for (const value of values)
    for (const one of [
      '',
      ' ',
      'x',
      '\0',
      'x'.repeat(60_000),
      '9'.repeat(20),
      '2026-02-30',
      '-1',
      'http://a@b/?c',
      {},
    ]) {
      const read = typeof one === 'string' ? value.read(one, 0) : value.take(one)
      if (!(read instanceof InvalidValue)) continue
      const told = languages.map((language) => read.rule(messagesIn(language)))
      for (const rule of told) expect(rule).toMatch(/^\S[^\n]+$/)
      expect(told.join()).not.toMatch(/undefined|NaN|\[object/)
      expect(new Set(told).size).toBe(languages.length)
    }
})

test('the limits of addresses and texts are where they are documented', () => {
  const address = (length: number) => `${'a'.repeat(length - 4)}@x.y`
  const { emailAddress, textUpTo, duration, networks, baseUrl } = samples as Record<string, Sample>
  const limits: [Sample | undefined, string, string][] = [
    [emailAddress, address(254), address(255)],
    [textUpTo, '🍥'.repeat(3), '🍥'.repeat(4)],
    [duration, '36525d', '36526d'],
    [networks, '10.0.0.0/8', '10.0.0.0/33'],
    [baseUrl, 'https://kiroku.example/?'.slice(0, -1), 'https://kiroku.example/?'],
  ]
  for (const [sample, last, over] of limits) {
    expect([last, sample && isRead(sample.value, last)]).toEqual([last, true])
    expect([over, sample && isRead(sample.value, over)]).toEqual([over, false])
  }
})
