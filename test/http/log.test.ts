import { afterAll, describe, expect, test } from 'bun:test'
import { createLog } from '../../src/log'
import { createInstance, withToken } from '../support/instance'

const kiroku = await createInstance()
const { ask, lines, token } = kiroku
afterAll(kiroku.close)

describe('the log', () => {
  const logged = async (target: string, init?: RequestInit) => {
    const response = await ask(target, init)
    return { response, facts: lines.filter(({ event }) => event === 'request').at(-1)?.facts }
  }

  test('has one line per request, under the response’s id', async () => {
    for (const [target, init] of [
      ['/v1/works', withToken(token)],
      ['/v1/works', {}],
      ['/v1/works', { method: 'DELETE' }],
      ['/v1/%zz', {}],
      ['/nothing', {}],
      ['/', { method: 'OPTIONS' }],
      ['/docs', { method: 'HEAD' }],
      ['/', { headers: { host: 'a b' } }],
    ] as const) {
      const before = lines.length
      const { response, facts } = await logged(target, init)
      expect(lines).toHaveLength(before + 1)
      expect(facts).toMatchObject({
        id: response.headers.get('x-request-id') ?? '',
        method: 'method' in init ? init.method : 'GET',
        url: target,
        status: response.status,
        peer: '192.0.2.1',
      })
    }
    const ids = lines.map(({ facts }) => facts.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each([
    [`access_token=${token}&page=2`, 'access_token=***&page=2'],
    [`page=2&ACCESS_TOKEN=x`, 'page=2&ACCESS_TOKEN=***'],
    [`acc%65ss_token=${token}`, 'acc%65ss_token=***'],
    ['acc%65ss_token=short', 'acc%65ss_token=***'],
    ['access_token[]=x', 'access_token[]=***'],
    ['+access_token=x', '+access_token=***'],
    [`filter_title=${token}`, 'filter_title=***'],
    [`access_token=x&access_token=y=z`, 'access_token=***&access_token=***'],
    ['code=1&client_secret=2&code_verifier=3', 'code=***&client_secret=***&code_verifier=***'],
    ['password=1&state=2&csrf=3&email=4&token=5', 'password=***&state=***&csrf=***&email=***&token=***'],
    ['return_to=%2Foauth%2Fauthorize%3Fstate%3Dx&page=2', 'return_to=***&page=2'],
    ['page=2&fields=id&%zz=1', 'page=2&fields=id&%zz=1'],
  ])('shows ?%s without its secrets', async (query, shown) => {
    const { facts } = await logged(`/v1/works?${query}`)
    expect(facts?.url).toBe(`/v1/works?${shown}`)
  })

  test('contains no token, wherever it was sent', async () => {
    await ask(`/v1/${token}?x=${token}&access_token=${token}`, {
      headers: { referer: `http://x/?${token}`, cookie: token, authorization: token, 'x-a': token },
    })
    expect(JSON.stringify(lines)).not.toInclude(token)
  })

  test('has one line per event, whatever is in it', () => {
    const written: string[] = []
    const log = createLog({
      format: 'human',
      level: 'info',
      budget: undefined,
      now: () => 0,
      write: (line) => written.push(line),
    })
    log('request', { url: '/a\n12:00:00 request\r\u2028\u001b[31m"x"', peer: undefined, status: 200 })
    expect(written).toHaveLength(1)
    expect(written[0]).not.toMatch(/\p{Cc}/u)
  })
})
