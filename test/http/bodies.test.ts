import { afterAll, describe, expect, test } from 'bun:test'
import { apiBody } from '../../src/http/request-values'
import { createEcho, echoed, refused } from '../support/echo'
import { createInstance, formData, refusals, types, withToken } from '../support/instance'

const kiroku = await createInstance()
const { post, postJson } = createEcho(kiroku)
afterAll(kiroku.close)

describe('text that cannot be stored unchanged is refused (D12)', () => {
  test.each(['%', '%z', '%zz', '%e6%98', '%ff', '%c0%80', '%ed%a0%80', '%00', 'a%00b', '%f4%90%80%80'])(
    '%s in the query or a form',
    async (value) => {
      for (const pair of [`note=${value}`, `${value}=note`, `unknown=${value}`]) {
        await refused(post('', undefined, { target: `/v1/echo?${pair}` }))
        await refused(post(pair, types.form))
      }
    },
  )

  test.each(['"\\ud800"', '"a\\udfff"', '"\\u0000"', '"\\udc00\\ud800"'])('%s in JSON', async (value) => {
    await refused(post(`{"note":${value}}`, types.json))
    await refused(post(`{${value}:"note"}`, types.json))
    expect(await echoed(post('{"note":"\\ud83c\\udf65"}', types.json))).toMatchObject({ note: '🍥' })
  })

  test('bytes that are not UTF-8, in every kind of body', async () => {
    const boundary = 'multipart/form-data; boundary=x'
    const part = '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n'
    for (const [before, after, type] of [
      ['note=', '', types.form],
      ['{"note":"', '"}', types.json],
      [part, '\r\n--x--\r\n', boundary],
    ] as const) {
      for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0x80]]) {
        await refused(
          post(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]), type),
        )
      }
    }
  })
})

describe('a body', () => {
  test('without a Content-Type is refused, and the error names what is missing', async () => {
    const bytes = new TextEncoder().encode('note=x')
    expect(await refused(post(bytes))).toEqual([expect.stringContaining('needs a Content-Type header')])
  })

  test('of another type is refused', async () => {
    const odd = [types.text, 'application/xml', 'application/json+x', 'json', '', 'application/octet-stream']
    for (const type of odd) await refused(post(Buffer.from('note=x'), type))
  })

  test('§2.6, D13: of 256 KiB is accepted, one byte more is 413, whether or not its length is declared', async () => {
    const whole = `note=${'x'.repeat(apiBody.maxBytes - 5)}`
    const stream = () => new Blob([`${whole}x`]).stream()
    expect((await echoed(post(whole, types.form))).note).toHaveLength(apiBody.maxBytes - 5)
    await refusals(await post(`${whole}x`, types.form), 'payload_too_large')
    await refusals(await post(stream(), types.form), 'payload_too_large')
    const headers = { 'content-length': String(apiBody.maxBytes + 1) }
    await refusals(await post('note=x', types.form, { headers }), 'payload_too_large')
  })

  test('§2.6: may have 100 parameters, not 101, in every kind of body', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'x']))
    for (const send of [
      (params: Record<string, string>) => post(new URLSearchParams(params)),
      (params: Record<string, string>) => post(formData(params)),
      postJson,
    ]) {
      await echoed(send(many(100)))
      expect(await refused(send(many(101)))).toEqual(['At most 100 parameters may be sent.'])
    }
    await echoed(post('note=x&'.repeat(5000), types.form))
  })

  test('that is malformed multipart is refused', async () => {
    const part = 'Content-Disposition: form-data; name="note"\r\n\r\nx\r\n'
    for (const [body, boundary] of [
      ['nonsense', 'boundary=x'],
      [`--x\r\n${part}--x--\r\n`, ''],
      [`--x\r\n${part}--x--\r\n`, 'boundary=y'],
      ['--x\r\nContent-Disposition: form-data; name="note"', 'boundary=x'],
    ]) {
      await refused(post(body ?? '', `multipart/form-data; ${boundary}`))
    }
  })

  test('may contain files in multipart: refused as a parameter, otherwise ignored', async () => {
    const file = new File(['x'], 'note.txt')
    expect(await refused(post(formData({ note: file })))).toEqual(['note must not be a file.'])
    expect(await echoed(post(formData({ other: file, note: 'x' })))).toMatchObject({ note: 'x' })
  })
})

describe('D28: is not read if the token may not write:', () => {
  const bodies: [string, string][] = [
    ['malformed', '{bad'],
    ['too large', `{"note":"${'x'.repeat(300_000)}"}`],
  ]
  test.each(bodies)('one that is %s', async (_, body) => {
    const init = { method: 'POST', body, headers: { 'content-type': types.json } }
    const reading = await kiroku.tokenOf('mio', 'read')
    const statusOf = async (token: string) =>
      (await kiroku.ask('/v1/me/statuses', withToken(token, init))).status
    expect([await statusOf('unknown'), await statusOf(reading)]).toEqual([401, 403])
    expect(await statusOf(kiroku.token)).toBe(body.length > 300_000 ? 413 : 400)
  })

  test('a second token in it is still refused (D30)', async () => {
    const init = { method: 'POST', body: new URLSearchParams({ access_token: kiroku.token }) }
    expect((await kiroku.ask('/v1/me/notifications/read', withToken(kiroku.token, init))).status).toBe(400)
  })
})
