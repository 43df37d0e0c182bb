import fc from 'fast-check'
import type { Param } from '../../src/api/params'
import { codePoint } from './code-point'

interface Rules {
  readonly type: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

const rulesOf = ({ schema }: Param<unknown>) => schema as unknown as Rules

/** Creates each arbitrary once: those of texts take milliseconds. */
const made = new WeakMap<Param<unknown>, fc.Arbitrary<string>>()

/** The values that a schema allows. */
export function allowed(param: Param<unknown>): fc.Arbitrary<string> {
  const known = made.get(param) ?? makeAllowed(param)
  made.set(param, known)
  return known
}

/** An address is made one of this machine: no test may look up another one's name. */
export const exampleOf = ({ example }: Pick<Param<unknown>, 'example'>): string =>
  String(example).replace(/^https:\/\/[^/]+/, 'https://127.0.0.1')

function makeAllowed(param: Param<unknown>): fc.Arbitrary<string> {
  const { type, enum: words, pattern, format, maximum = 20 } = rulesOf(param)
  const example = fc.constant(exampleOf(param))
  if (type === 'integer')
    return fc.oneof(example, fc.integer({ min: 1, max: Math.min(maximum, 20) }).map(String))
  if (type === 'boolean') return fc.constantFrom('true', 'false')
  if (type === 'number') return fc.integer({ min: 0, max: 50 }).map((tenths) => (tenths / 10).toFixed(1))
  if (words !== undefined) return fc.constantFrom(...words)
  if (pattern !== undefined)
    return fc.oneof(example, fc.stringMatching(new RegExp(pattern), { maxLength: 40 }))
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, max: new Date(0) }).map((at) => at.toISOString())
  return fc.oneof(example, someText)
}

const someText = fc.string({ unit: 'grapheme', minLength: 1 })

/** Whether a text follows what its schema can express; a blank one counts as no value (D7). */
export function keepsTo(param: Param<unknown>, text: string): boolean {
  const { type, enum: words, pattern, minimum = 1, maximum = 0, maxLength } = rulesOf(param)
  if (text.includes('\0') || !text.isWellFormed()) return false
  if (/^\p{White_Space}*$/u.test(text)) return !param.required
  if (type === 'integer')
    return /^(?:0|-?[1-9][0-9]{0,14})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'number') return /^[0-9]+(\.[0-9]+)?$/.test(text) && Number(text) <= maximum
  if (words !== undefined) return words.includes(text)
  if (pattern !== undefined) return new RegExp(pattern).test(text)
  return (
    maxLength === undefined ||
    [...text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '')].length <= maxLength
  )
}

/** Values without a space, grouped by appearance. */
const odd = `
0 -1 +1 01 1.5 1e3 0x10 １ １２ ١٢ 1_000 -0 9999999999999999 9007199254740993 -9223372036854775809 1e400 NaN Infinity
4.55 5.1 .5 5. TRUE yes null undefined [] {} [1] {"a":1} , ,,,, 1,,2 1,a １,２ asc,desc ascending 2023-herbst ２０２３-spring
2026-02-30 9999-99-99T99:99:99Z 0000-00-00 -271821-04-20T00:00:00Z +275760-09-13T00:00:00.001Z 2026-04-01T12:00:00
2026-04-01T12:00:00+99:99 2999-01-01T00:00:00Z ２０２６-04-01 " ' '; \\ % _ %_\\ %zz %00 * ^ x* NEAR(a AND grams:
__proto__ constructor toString hasOwnProperty ../../etc/passwd <script> {{7*7}} . .. work..title @@ か\u3099 🍥🍥🍥`
  .trim()
  .split(/[ \n]+/)

const spaced = [
  '',
  ' ',
  '\u3000',
  '\u0085',
  '1 ',
  ' 1',
  '1\n',
  '\r\n\r\n',
  "'; drop table records; --",
  '" or 1=1 --',
]
const long = [
  '.'.repeat(200),
  'a.'.repeat(1000),
  'a,'.repeat(1000),
  '1,'.repeat(600),
  'x'.repeat(4000),
  '🍥'.repeat(300),
]
const unsayable = ['\0', 'a\0b', '1\0', '\ud800', '\udc00x', 'x\ufffd', '\u202e', '\ufeff', '\u2028']

export const binaryText = fc.string({ unit: codePoint })

/** Text of any kind, much of it meaningless. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...odd, ...spaced, ...long) },
  { weight: 2, arbitrary: fc.constantFrom(...unsayable) },
  binaryText,
  fc.string(),
  fc.bigInt().map(String),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
)

const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
export const anyJson = fc.oneof(
  { weight: 3, arbitrary: anyText },
  fc.jsonValue(),
  fc.constantFrom<unknown[]>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    [],
    {},
    [1, 2],
    [1.5],
    ['1'],
    [null],
    deep,
  ),
  fc.constantFrom('長'.repeat(10_001), 'x'.repeat(20_000), '0'.repeat(20_000)),
)

/** The text that a JSON value stands for; undefined if it stands for none (D6). */
export function textOf(param: Param<unknown>, value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (Array.isArray(value))
    return param.list && value.every(Number.isSafeInteger) ? value.join(',') || ',' : undefined
  return typeof value === 'object' ? undefined : String(value)
}
