import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { releaseBody } from '../../src/http/bodies-in-flight'
import { apiBody, readBody, readQuery } from '../../src/http/request-values'
import { codePoint } from '../support/code-point'
import { createEcho, echoed, refused } from '../support/echo'
import { createInstance, formData, type RequestBody, requestOf, types } from '../support/instance'

const kiroku = await createInstance()
const { post, postJson } = createEcho(kiroku)
afterAll(kiroku.close)

describe('a parameter may be sent', () => {
  const sent = { page: 3, note: '星 & 100% = “+”', ids: null }
  const params = { page: '3', note: sent.note }

  test.each([
    ['in the query', () => post('', undefined, { target: `/v1/echo?${new URLSearchParams(params)}` })],
    ['in a form', () => post(new URLSearchParams(params))],
    ['in a multipart form', () => post(formData(params))],
    ['in JSON, as text', () => postJson(params)],
    ['in JSON, as a number', () => postJson({ ...params, page: 3 })],
    ['in JSON with a charset', () => post(JSON.stringify(params), 'Application/JSON; charset=utf-8')],
  ])('%s', async (_, ask) => {
    expect(await echoed(ask())).toEqual(sent)
  })

  test('in several places: the body wins over the query, the last value of one place over the others', async () => {
    const target = '/v1/echo?note=query&page=1&page=2'
    expect(await echoed(post('note=first&note=last', types.form, { target }))).toEqual({
      page: 2,
      note: 'last',
      ids: null,
    })
    expect(await echoed(post('{"note":null}', types.json, { target }))).toMatchObject({ note: null })
  })

  test('as a list of ids: comma-separated, or as an array of integers', async () => {
    expect(await echoed(postJson({ ids: [3, 1, 2] }))).toMatchObject({ ids: [3, 1, 2] })
    expect(await echoed(postJson({ ids: '3,,1' }))).toMatchObject({ ids: [3, 1] })
    for (const odd of [['1'], [1.5], [-1], [null], [[1]], [1e15], [1, '']]) {
      expect(await refused(postJson({ ids: odd }))).toEqual([expect.stringMatching(/^ids must /)])
    }
  })
})

test('a body may be empty, whatever its content type', async () => {
  for (const type of [types.json, types.form, types.text, 'multipart/form-data; boundary=x', 'nonsense']) {
    expect(await echoed(post('', type, { target: '/v1/echo?page=2' }))).toMatchObject({ page: 2 })
  }
})

describe('JSON', () => {
  test('null counts as blank, and true as the text true', async () => {
    expect(await echoed(postJson({ page: null, note: true }))).toMatchObject({ page: null, note: 'true' })
    expect(await refused(postJson({ page: true }))).toEqual([
      expect.stringMatching(/^page must be a positive/),
    ])
  })

  test('numbers other than plain integers are refused where an integer is expected', async () => {
    for (const number of ['1.5', '-1', '0', '1e21', '123456789012345678901234567890']) {
      expect(await refused(post(`{"page":${number}}`, types.json))).toHaveLength(1)
    }
  })

  test('arrays and objects are refused in known parameters, and nowhere else', async () => {
    expect(await refused(postJson({ note: ['a'], page: [1], ids: {} }))).toEqual([
      'page must not be an array.',
      'note must not be an array.',
      'ids must be an array of integers, or integers separated by commas.',
    ])
    expect(await echoed(postJson({ unknown: { a: [1] }, note: 'x' }))).toMatchObject({ note: 'x' })
  })

  test.each([
    '[]',
    '[1]',
    '"a"',
    '1',
    'null',
    'true',
    '{',
    '{"note":}',
    "{'note':1}",
    '{"note":1}x',
    '\ufeff',
  ])('%s is no object of parameters', async (body) => {
    expect(await refused(post(body, types.json))).toHaveLength(1)
  })

  test('nested 100,000 deep is refused', async () => {
    const deep = 100_000
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = `${open.repeat(deep / open.length)}1${close.repeat(deep / open.length)}`
      await refused(post(`{"note":${nested}}`, types.json))
      await refused(post(open.repeat(deep / open.length), types.json))
    }
  })

  test('__proto__ is no parameter, and sets nothing', async () => {
    expect(await refused(post('{"__proto__":{"note":"x"},"page":"2"}', types.json))).toHaveLength(1)
    expect(await refused(post('__proto__=x', types.form))).toHaveLength(1)
    expect(await echoed(postJson({ constructor: 'x', hasOwnProperty: 'y', toString: 'z' }))).toEqual({
      page: null,
      note: null,
      ids: null,
    })
  })
})

describe('a token', () => {
  test('may be sent in the body, but then nowhere else', async () => {
    const { token } = kiroku
    const asForm = `access_token=${token}&note=x`
    for (const answer of [
      post(asForm, types.form, { token: '' }),
      post(JSON.stringify({ access_token: token, note: 'x' }), types.json, { token: '' }),
      post(formData({ access_token: token, note: 'x' }), undefined, { token: '' }),
    ]) {
      expect(await echoed(answer)).toMatchObject({ note: 'x' })
    }
    const target = `/v1/echo?access_token=${token}`
    for (const twice of [post(asForm, types.form), post(asForm, types.form, { token: '', target })]) {
      expect((await twice).headers.get('www-authenticate')).toInclude('error="invalid_request"')
    }
    const listed = post(JSON.stringify({ access_token: [token] }), types.json, { token: '' })
    expect(await refused(listed)).toEqual(['access_token must be sent once, as text.'])
  })
})

describe('any text that is sent is read unchanged', () => {
  const kept = (unit: 'grapheme' | typeof codePoint) =>
    fc.string({ unit, maxLength: 40 }).filter((value) => value.isWellFormed() && !value.includes('\0'))
  const names = kept('grapheme').filter((name) => !['__proto__', 'access_token'].includes(name))
  const read = async (body: RequestBody, headers: Record<string, string> = {}) => {
    const request = requestOf('/', { method: 'POST', body, headers })
    const sent = await readBody(request, apiBody, { pool: 'api', key: '1' })
    releaseBody(request)
    return Object.fromEntries(sent)
  }

  const alike = (name: string, values: fc.Arbitrary<Record<string, string>>, send: typeof sendForm) =>
    test(name, () =>
      fc.assert(fc.asyncProperty(values, async (sent) => expect(await send(sent)).toEqual(sent))),
    )

  const sendForm = (sent: Record<string, string>) => read(new URLSearchParams(sent))
  const anything = fc.dictionary(names, kept(codePoint), { noNullPrototype: true })

  alike('in a form', anything, sendForm)
  alike('in JSON', anything, (sent) => read(JSON.stringify(sent), { 'content-type': types.json }))
  alike('in the query', anything, async (sent) =>
    Object.fromEntries(readQuery(requestOf(`/?${new URLSearchParams(sent)}`), apiBody)),
  )
  alike(
    'in parts',
    fc.dictionary(
      fc.stringMatching(/^[a-z]{1,9}$/),
      kept(codePoint).filter((value) => !/[\r\n]/.test(value)),
      { minKeys: 1, noNullPrototype: true },
    ),
    (sent) => read(formData(sent)),
  )

  test.each([
    [
      '\ufeff',
      '\ufeff\ufeffx',
      'x\ufeff',
      '\ufffd\ufeff',
      '\ue000\ufeff',
      '\ufeff\ue0000\ue001',
      '\ufeff\ue0010\ue000',
    ],
    ['\ufffd', '\ufffd\ufffdx', 'x\ufffd', '\ufeff\ufffd', '\ufeff\r\n\r\n\ufeff'],
  ])('with a byte order mark or U+FFFD anywhere in it: %j, …', async (...texts) => {
    const sent: Record<string, string> = {}
    for (const [at, text] of texts.entries()) sent[`n${at}`] = String(text)
    expect(await sendForm(sent)).toEqual(sent)
    expect(await read(JSON.stringify(sent), { 'content-type': types.json })).toEqual(sent)
    expect(await read(formData(sent))).toEqual(sent)
    const target = `/?${new URLSearchParams(sent)}`
    expect(Object.fromEntries(readQuery(requestOf(target), apiBody))).toEqual(sent)
  })

  test('unless it is not UTF-8, which is refused in multipart, forms and JSON alike (D12)', async () => {
    const part = (bytes: string) =>
      `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n${bytes}\r\n--x--\r\n`
    for (const bytes of ['\xff', '\xc3', '\xef\xbf', '\xed\xa0\x80', '\xc0\x80', '\xef\xbb\xbf\xff']) {
      const refuse = (body: string, type: string) => refused(post(Buffer.from(body, 'latin1'), type))
      expect(await refuse(part(bytes), 'multipart/form-data; boundary=x')).toHaveLength(1)
      expect(await refuse(`note=${bytes}`, types.form)).toHaveLength(1)
      expect(await refuse(`{"note":"${bytes}"}`, types.json)).toHaveLength(1)
      const escaped = [...Buffer.from(bytes, 'latin1')].map((byte) => `%${byte.toString(16)}`).join('')
      expect(await refuse(`note=${escaped}`, types.form)).toHaveLength(1)
    }
  })
})
