import fc from 'fast-check'
import type { Endpoint } from '../../src/api/endpoint'
import type { Param } from '../../src/api/params'
import { allowed, anyJson, anyText, binaryText, keepsTo, textOf } from './fuzz-values'
import { formData, types } from './instance'

/** A request to send, and what is known about it beforehand. */
export interface Fuzzed {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestInit['body']
  /** The names of the parameters sent. */
  readonly names: readonly string[]
  /** The parameter that must be refused, because its value breaks its schema. */
  readonly refused: string | undefined
}

type Value = unknown
type Way = 'query' | 'form' | 'multipart' | 'json'
type Pairs = readonly (readonly [name: string, value: Value])[]

/** Requests with a value of any kind for one parameter; the others follow their schemas. */
export function oddRequests(endpoint: Endpoint, name: string, token: string): fc.Arbitrary<Fuzzed> {
  const param = endpoint.operation.params[name] as Param<unknown>
  const [others, right] = [othersOf(endpoint, name), allowed(param)]
  const inWay = (way: Way) => {
    const value = way === 'json' && !isInPath(endpoint, name) ? anyJson : anyText
    return fc.tuple(others, fc.oneof({ weight: 6, arbitrary: value }, right)).map(([besides, sent]) => {
      const known = way === 'json' ? JSON.parse(JSON.stringify(sent)) : sent
      const text = textOf(param, known)
      const isTold = text === undefined || !keepsTo(param, text)
      const refused = isTold && isCarried(endpoint, name, way, text) ? name : undefined
      return requestOf(endpoint, way, token, [...besides, [name, sent]], refused)
    })
  }
  // Arbitraries of texts are slow to create: none is created for a single request.
  return fc.oneof(...waysOf(endpoint).map(inWay))
}

/** Whether a text reaches the parameter at all: some are refused because of the URL or form they are in. */
function isCarried(endpoint: Endpoint, name: string, way: Way, text = ''): boolean {
  if (isInPath(endpoint, name)) return text.isWellFormed() && !text.includes('\0')
  return way === 'json' || text.isWellFormed()
}

/** Requests with anything for several parameters, also under odd names, and with invalid bodies. */
export function wildRequests(endpoint: Endpoint, token: string): fc.Arbitrary<Fuzzed> {
  const declared = Object.keys(endpoint.operation.params)
  const anyName = fc.oneof(fc.constantFrom(...declared, '__proto__', 'constructor', 'id', ''), binaryText)
  return fc
    .tuple(
      fc.constantFrom(...waysOf(endpoint)),
      fc.array(fc.tuple(anyName, anyJson), { maxLength: 8 }),
      othersOf(endpoint),
      broken,
    )
    .map(([way, pairs, others, instead]) => {
      const request = requestOf(endpoint, way, token, [...others, ...pairs], undefined)
      if (request.body === undefined || instead === undefined) return request
      const headers = { ...request.headers, 'content-type': instead.type }
      // If such a body names anything, it is `a`.
      return { ...request, names: [...request.names, 'a'], body: instead.body, headers }
    })
}

const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => new Uint8Array(some))
const boundary = 'multipart/form-data; boundary=x'
const broken = fc.option(
  fc
    .oneof(
      fc.tuple(fc.constantFrom(...Object.values(types), boundary, 'multipart/form-data', '', 'x;;'), bytes),
      fc.tuple(
        fc.constant(types.json),
        fc.constantFrom(
          '{',
          '[]',
          'null',
          '"x"',
          '{"a":1}x',
          '{"a":"\\ud800"}',
          '['.repeat(100_000),
          '{"a":'.repeat(9000),
        ),
      ),
      fc.tuple(
        fc.constant(types.form),
        fc.constantFrom('%zz=1', 'a=%', 'a=%ff', '&&&==', '='.repeat(9000), 'a&'.repeat(300)),
      ),
      fc.tuple(
        fc.constant(boundary),
        fc.constantFrom('--x', '--x--', '--x\r\n\r\n--x--\r\n', 'x'.repeat(9000)),
      ),
      fc.tuple(fc.constant(types.json), fc.constant(' '.repeat(300_000))),
    )
    .map(([type, body]) => ({ type, body })),
  { nil: undefined },
)

const waysOf = ({ method }: Endpoint): readonly Way[] =>
  method === 'GET' ? ['query'] : ['query', 'form', 'multipart', 'json']

/** Values for required parameters and for some of the others. */
function othersOf({ operation }: Endpoint, except = ''): fc.Arbitrary<Pairs> {
  const others = Object.entries(operation.params).filter(([name]) => name !== except)
  const each = others.map(([name, param]) => {
    const pair = allowed(param).map((value) => [name, value] as const)
    return param.required ? pair : fc.option(pair, { nil: undefined, freq: 1 })
  })
  return fc.tuple(...each).map((pairs) => pairs.filter((pair) => pair !== undefined))
}

const isInPath = ({ path }: Endpoint, name: string) => path.includes(`:${name}`)

function requestOf(
  endpoint: Endpoint,
  way: Way,
  token: string,
  sent: Pairs,
  refused: string | undefined,
): Fuzzed {
  const { method, path } = endpoint
  const values = new Map(sent)
  const target = path.replace(/:([a-z_]+)/g, (_, name) => pieceOf(values.get(name)))
  const pairs = sent.filter(([name]) => !isInPath(endpoint, name))
  const known = { method, names: [...values.keys()], refused, headers: { authorization: `Bearer ${token}` } }
  if (way === 'query') {
    // Bun's server accepts 16 KB in all, unless compiled for more.
    return {
      ...known,
      target: `${target}?${formOf(pairs)
        .slice(0, 15_000 - target.length)
        .replace(/%.?$/, '')}`,
    }
  }
  const { type, body } = bodyOf(way, pairs)
  return { ...known, target, body, headers: { ...known.headers, ...(type && { 'content-type': type }) } }
}

/** A path segment: never empty, nor dots, which would make another path. */
const pieceOf = (value: unknown) =>
  encoded(value || 'x')
    .slice(0, 4000)
    .replace(/^\.+$|%.?$/, 'x')

function bodyOf(way: Way, pairs: Pairs) {
  if (way === 'form') return { type: types.form, body: formOf(pairs) }
  if (way === 'json') return { type: types.json, body: JSON.stringify(Object.fromEntries(pairs)) }
  return {
    type: undefined,
    body: formData(Object.fromEntries(pairs.map(([name, value]) => [name, plain(value)]))),
  }
}

const formOf = (pairs: Pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Percent-encoded, a lone surrogate as the bytes it would have. */
function encoded(value: unknown): string {
  const text = plain(value)
  if (text.length < 1000) return encode(text)
  const known = longEncoded.get(text) ?? encode(text)
  longEncoded.set(text, known)
  return known
}

/** There are a few long texts, which are sent hundreds of times. */
const longEncoded = new Map<string, string>()

function encode(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  return [...text]
    .map((letter) => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80'))
    .join('')
}
