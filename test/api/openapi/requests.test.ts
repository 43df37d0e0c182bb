import { afterAll, describe, expect, test } from 'bun:test'
import { Compile } from 'typebox/schema'
import { endpoints } from '../../../src/app'
import { makeRoom } from '../../support/examples'
import { type Body, createInstance, query, targetOf, types } from '../../support/instance'
import { seedExamples } from '../../support/seed-library'

const kiroku = await createInstance({ seed: seedExamples })
afterAll(kiroku.close)
const document: Body = await (await kiroku.ask('/openapi.json')).json()

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'

const operationOf = (method: string, path: string): Body =>
  document.paths[path.replace(/:([a-z_]+)/g, '{$1}')][method.toLowerCase()]

const formData = (fields: Record<string, unknown>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, String(value))
  return data
}

/** Sends the same in each kind of body, and in the query. */
const ways: Record<string, (fields: Record<string, string>) => [string, RequestInit]> = {
  'application/json': (fields) => [
    '',
    { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } },
  ],
  [form]: (fields) => ['', { body: new URLSearchParams(fields) }],
  [multipart]: (fields) => ['', { body: formData(fields) }],
  'the query': (fields) => [query(fields), {}],
}

const errorsOf = (schema: Body, value: unknown) => [...Compile(schema).Errors(value)[1]]

const writing = endpoints.filter(({ method, upload }) => method !== 'GET' && upload === undefined)

describe.each(writing.map((one) => [`${one.method} ${one.path}`, one] as const))('%s', (_, endpoint) => {
  const { method, path, operation } = endpoint
  const documented = operationOf(method, path)
  const sent = Object.entries(operation.params).filter(([name]) => !path.includes(`:${name}`))
  const sendIn = (way: string, fields: Record<string, string>) => {
    const [search, init] = ways[way]?.(fields) ?? ['', {}]
    makeRoom(kiroku.store)
    return kiroku.get(targetOf(path) + search, { method, ...init })
  }

  test('has parameters in the body, in each of three formats, unless the path says it all (D6)', () => {
    expect(documented.parameters.every((one: Body) => one.in === 'path' && one.required)).toBe(true)
    if (sent.length === 0) return expect(documented).not.toHaveProperty('requestBody')
    const { required, content, description } = documented.requestBody
    expect(required).toBe(sent.some(([, one]) => one.required))
    expect(description).toContain('in the query instead')
    expect(Object.keys(content)).toEqual(['application/json', form, multipart])
    for (const { schema } of Object.values<Body>(content)) {
      expect(Object.keys(schema.properties)).toEqual(sent.map(([name]) => name))
      expect(schema.required ?? []).toEqual(sent.filter(([, one]) => one.required).map(([name]) => name))
    }
  })

  test('may be too large (D13)', () => {
    expect(documented.responses['413']).toEqual({ $ref: '#/components/responses/payload_too_large' })
  })

  test('accepts blanks for everything but required parameters (D6, D7)', async () => {
    // Of parameters that exclude each other, one is required, whichever it is.
    const isChoice = sent.every(([, { required }]) => !required) && !path.includes(':')
    for (const [kind, { schema, example }] of Object.entries<Body>(documented.requestBody?.content ?? {})) {
      for (const [name, { required, isAlternative = isChoice }] of sent) {
        const body = { ...example, [name]: kind === types.json ? null : '' }
        expect([name, kind, errorsOf(schema, body).length > 0]).toEqual([name, kind, required])
        if (isAlternative && name in example) continue
        const { status } = await sendIn(kind, body)
        expect([name, kind, status === 400]).toEqual([name, kind, required])
      }
    }
  })

  test('accepts the example of each kind of body, and the same in the query (D6)', async () => {
    for (const [kind, { schema, example }] of Object.entries<Body>(documented.requestBody?.content ?? {})) {
      expect(errorsOf(schema, example)).toEqual([])
      for (const way of [kind, 'the query']) {
        if (way === 'the query' && kind === 'application/json') continue
        const { status } = await sendIn(way, example)
        expect([way, [200, 204, 404].includes(status)]).toEqual([way, true])
      }
    }
  })
})

test('a list of ids is text, and in JSON also an array of integers (D6)', () => {
  const { content } = operationOf('POST', '/v1/me/records/bulk').requestBody
  const { episode_ids } = content['application/json'].schema.properties
  expect(errorsOf(episode_ids, '1,2')).toEqual([])
  expect(errorsOf(episode_ids, [1, 2])).toEqual([])
  for (const wrong of [['a'], [1.5], {}, Array(501).fill(1)])
    expect(errorsOf(episode_ids, wrong)).not.toEqual([])
  expect(content[form].schema.properties.episode_ids.type).toBe('string')
})

test('what an edit may clear can also be null in JSON and blank in a form (D6, D32)', async () => {
  const { content } = operationOf('PATCH', '/v1/me/records/:id').requestBody
  const { enum: words } = content[types.json].schema.properties.rating_state.anyOf[0]
  for (const kind of [types.json, form])
    for (const state of [...words, ''])
      expect(errorsOf(content[kind].schema, { rating_state: state })).toEqual([])
  const { properties } = content[types.json].schema
  for (const { description } of Object.values<Body>(properties).filter(
    (one) => ![properties.fields, properties.watched_at_precision].includes(one),
  ))
    expect(description).toContain('a blank value clears it')
  const cleared = { comment: null, rating: null, rating_state: null, share_twitter: null, watched_at: null }
  expect(errorsOf(content[types.json].schema, cleared)).toEqual([])
  const init = { method: 'PATCH', body: JSON.stringify(cleared), headers: { 'content-type': types.json } }
  expect(await (await kiroku.get(targetOf('/v1/me/records/:id'), init)).json()).toMatchObject({
    rating_state: null,
  })
})

test('the document allows each of the 51 ratings and no other number (D33)', async () => {
  const { schema } = operationOf('PATCH', '/v1/me/records/:id').requestBody.content['application/json']
  const answered = document.components.schemas.Record.properties.rating
  expect(schema.properties.rating.description).toContain('from 0 to 5 in steps of 0.1')
  for (const wrong of [-0.1, 5.1, 'good']) {
    expect(errorsOf(schema, { rating: wrong })).not.toEqual([])
    expect(errorsOf(answered, wrong)).not.toEqual([])
  }
  for (const tenths of Array(51).keys()) {
    const rating = tenths / 10
    expect([rating, errorsOf(schema, { rating }), errorsOf(answered, rating)]).toEqual([rating, [], []])
    const body = JSON.stringify({ rating })
    const init = { method: 'PATCH', body, headers: { 'content-type': types.json } }
    const changed: Body = await (await kiroku.get(targetOf('/v1/me/records/:id'), init)).json()
    expect(changed.rating).toBe(rating)
  }
})

test('defaults of parameters are in their schemas (D8, D38, D41)', async () => {
  const defaults = new Map<string, Set<unknown>>()
  for (const [path, methods] of Object.entries<Body>(document.paths)) {
    if (!path.startsWith('/v1')) continue
    for (const [method, { parameters, requestBody }] of Object.entries<Body>(methods)) {
      const query = parameters.map(({ name, schema }: Body) => [name, schema])
      const bodies = Object.values<Body>(requestBody?.content ?? {}).map((one) => one.schema.properties)
      for (const [name, schema] of [...query, ...bodies.flatMap(Object.entries)]) {
        if (!('default' in schema)) continue
        expect([path, method]).not.toContain('patch')
        expect(errorsOf(schema, schema.default)).toEqual([])
        defaults.set(name, (defaults.get(name) ?? new Set()).add(schema.default))
      }
    }
  }
  const shares = { share_twitter: new Set([false]), share_facebook: new Set([false]) }
  const paging = { page: new Set([1]), per_page: new Set([25]) }
  expect(Object.fromEntries(defaults)).toEqual({ ...paging, ...shares, filter_muted: new Set([true]) })
  for (const [name, [value]] of defaults) {
    if (name.startsWith('share_')) continue
    const path = `/v1/${name === 'filter_muted' ? 'me/following_activities' : 'works'}`
    expect(await kiroku.json(`${path}?${name}=${value}`)).toEqual(await kiroku.json(path))
  }
})

test('PUT has the same parameters and responses as PATCH (D6)', () => {
  const edits = writing.filter(({ method }) => method === 'PATCH')
  expect(edits.length).toBe(11)
  for (const { path } of edits) {
    const { operationId, summary, 'x-extension': extension, ...rest } = operationOf('PUT', path)
    const patch = operationOf('PATCH', path)
    expect(patch).toMatchObject(rest)
    expect(operationId).not.toBe(patch.operationId)
    expect(extension).toBe(true)
  }
})
