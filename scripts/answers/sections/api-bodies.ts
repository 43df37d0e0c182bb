import { gzipSync } from 'node:zlib'
import { type Operation, operationsOf, targetOf } from '../document'
import type { Recorder } from '../recorder'
import { jsonValues, someOf, valid, valuesFor } from '../values'

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Requests every write with each value of each parameter as JSON, form, multipart and query, and malformed bodies. */
export async function bodies(recorder: Recorder): Promise<void> {
  recorder.begin('bodies')
  for (const operation of (await operationsOf(recorder)).filter(
    ({ method }) => method !== 'GET' && method !== 'PUT',
  )) {
    const { method, body } = operation
    // A record and a review of mio's.
    const target = targetOf(operation, operation.path.includes('reviews') ? '3' : '5')
    const send = { method, target, as: 'mio' }
    for (const [i, [name, schema]] of Object.entries(body).entries()) {
      const others = othersOf(operation, name)
      for (const value of valuesFor(name, schema))
        await recorder.ask({ ...send, headers: json, ...jsonBody({ ...others, [name]: value }) })
      for (const value of someOf(jsonValues, i))
        await recorder.ask({ ...send, headers: json, ...jsonBody({ ...others, [name]: value }) })
      for (const value of valuesFor(name, schema).slice(0, 2)) {
        const pairs = { ...others, [name]: value }
        await recorder.ask({ ...send, headers: form, body: new URLSearchParams(pairs).toString() })
        await recorder.ask({ ...send, body: formData(pairs) })
      }
      await recorder.ask({ ...send, headers: json, ...jsonBody(others) })
      await recorder.ask({
        ...send,
        headers: form,
        body: `${new URLSearchParams(others)}&${name}=a&${name}=`,
      })
    }
    await recorder.ask({ ...send, target: `${target}?${new URLSearchParams(othersOf(operation))}` })
    for (const [type, text] of broken)
      await recorder.ask({ ...send, headers: { 'content-type': type }, body: text })
    const packed = new Uint8Array(gzipSync(JSON.stringify(othersOf(operation))))
    await recorder.ask({
      ...send,
      headers: { ...json, 'content-encoding': 'gzip' },
      body: packed,
      label: 'as JSON, gzipped',
    })
    await recorder.ask({ ...send, headers: json, body: ' '.repeat(300_000), label: '300,000 spaces as JSON' })
    await recorder.ask({ target: '/v1/me/works?fields=id,title&per_page=5', as: 'mio' })
    await recorder.ask({
      target: '/v1/records?fields=id,comment,rating,rating_state&sort_id=desc&per_page=5',
      as: 'mio',
    })
    await recorder.ask({
      target: '/v1/reviews?fields=id,body,is_modified&sort_id=desc&per_page=5',
      as: 'mio',
    })
  }
}

const othersOf = ({ body }: Operation, except = '') =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => name in body && name !== except))

const jsonBody = (values: unknown) => {
  const body = JSON.stringify(values)
  return body.length > 300 ? { body, label: `${body.slice(0, 200)}… (${body.length}) as JSON` } : { body }
}

function formData(pairs: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(pairs)) data.set(name, value)
  return data
}

const broken: readonly (readonly [type: string, body: string])[] = [
  ...[
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"a":1}x',
    '{"comment":"\\ud800"}',
    '{"a":{"b":1}}',
    '{"work_id":1,"work_id":2}',
  ].map((body) => ['application/json', body] as const),
  ...['%zz=1', 'a=%', 'comment=%ff', '&&&==', 'a&'.repeat(300), 'access_token=x', 'comment=%00'].map(
    (body) => ['application/x-www-form-urlencoded', body] as const,
  ),
  ...['', '--x', '--x--', '--x\r\n\r\n--x--\r\n'].map(
    (body) => ['multipart/form-data; boundary=x', body] as const,
  ),
  ['multipart/form-data', 'x'],
  ['text/plain', 'work_id=1'],
  ['application/xml', '<a/>'],
  ['x;;', 'work_id=1'],
  ['application/json; charset=utf-16', '{}'],
]
