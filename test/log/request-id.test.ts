import { afterAll, describe, expect, test } from 'bun:test'
import { currentRequest, inRequest } from '../../src/lib/current-request'
import { createLog } from '../../src/log'
import { networks } from '../../src/values/address'
import { InvalidValue } from '../../src/values/value'
import { createInstance, requestOf } from '../support/instance'

const trustedProxies = networks.read('10.0.0.0/8')
if (trustedProxies instanceof InvalidValue) throw new Error('a network is not one')
const kiroku = await createInstance({ config: { trustedProxies } })
afterAll(kiroku.close)

describe('an X-Request-Id', () => {
  const idFrom = async (peer: string, given: string) => {
    const { headers } = await kiroku.handle(
      requestOf('/v1/works', { headers: { 'x-request-id': given } }),
      peer,
    )
    return headers.get('x-request-id') ?? ''
  }

  test('of a trusted proxy is used and logged', async () => {
    const id = '7f0c-1:a/b=@+._'
    expect(await idFrom('10.0.0.1', id)).toBe(id)
    expect(kiroku.lines.at(-1)?.facts.id).toBe(id)
  })

  test('of anybody else is not', async () => {
    expect(await idFrom('192.0.2.1', 'forged')).toMatch(/^[\w-]{12}$/)
  })

  test.each(['', 'a b', 'a"b', 'x'.repeat(101), '日'.normalize()])(
    'such as %p is not used',
    async (given) => {
      const id = await idFrom('10.0.0.1', given.replaceAll(/[^\x20-\x7e]/g, '\\'))
      expect(id).toMatch(/^[\w-]{12}$/)
    },
  )
})

test('every line logged while a request is being answered has its id, and no other line has one', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const log = createLog({ format: 'json', level: 'debug', budget: undefined, now: () => 0, write })
  await inRequest('one', async () => {
    await new Promise(setImmediate)
    log('picture_removed', { kind: 'cover' })
  })
  log('stopping')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(['one', undefined])
})

test('writes that share a commit each run for their own request', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `request ${index}`)
  const seen = await Promise.all(
    ids.map((id) => inRequest(id, () => kiroku.store.write(async () => currentRequest()))),
  )
  expect(seen).toEqual(ids)
  expect(await kiroku.store.write(async () => currentRequest())).toBeUndefined()
})
