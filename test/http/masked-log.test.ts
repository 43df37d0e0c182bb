import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createSecret, type SecretKind } from '../../src/lib/secret'
import { createLog } from '../../src/log'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
const { ask, lines } = kiroku
afterAll(kiroku.close)

const kinds = ['at', 'pat', 'cs', 'ac', 'dc', 'ln', 'iv', 'se', 'br', 'pq'] as const satisfies SecretKind[]
const secretOf = (kind: SecretKind) => createSecret(kind, kiroku.deps.random)

/** Percent-encodes some characters, some of those again, and so on, as several servers in a row would decode. */
function encoded(text: string, coins: Iterator<number>, levels: number): string {
  if (levels === 0) return text
  const once = [...text].map((character) => {
    const coin = coins.next().value ?? 0
    if (coin % 3 !== 0) return character
    const hex = character.charCodeAt(0).toString(16)
    return `%${coin % 2 === 0 ? hex : hex.toUpperCase()}`
  })
  return encoded(once.join(''), coins, levels - 1)
}

/** A text and all results of decoding it repeatedly. */
function decodings(text: string): string[] {
  const next = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return next === text ? [text] : [text, ...decodings(next)]
}

/** Parts of a secret's random digits, 8 characters each, that a line shows at any level of decoding. */
function leaks(line: string, secret: string): string[] {
  const random = secret.slice(secret.lastIndexOf('_') + 1)
  const pieces = Array.from({ length: random.length - 7 }, (_, at) => random.slice(at, at + 8))
  const shown = decodings(line)
  return pieces.filter((piece) => shown.some((text) => text.includes(piece)))
}

async function loggedFor(target: string, init?: RequestInit): Promise<string> {
  const before = lines.length
  await ask(target, init)
  return JSON.stringify(lines.slice(before))
}

const places: readonly ((secret: string) => string)[] = [
  (secret) => `/setup/${secret}`,
  (secret) => `/v1/${secret}/x?page=2`,
  (secret) => `/v1/works?filter_title=${secret}&page=2`,
  (secret) => `/v1/works?page=2&${secret}=1`,
  (secret) => `/v1/works?next=%2Fx%3Fa%3D1%26b%3D${secret}`,
  (secret) => `/v1/works?filter_title=before${secret}after%`,
]

describe('however a secret of kiroku is percent-encoded, the log does not show it', () => {
  test.each([
    ['kir%5Fln%5F', 1],
    ['kir%5fln%5f', 1],
    ['%6Bir_ln_', 1],
    ['kir%255Fln%255f', 2],
    ['%25%36%42ir_ln_', 2],
    ['kir%25255Fln_', 3],
  ])('as %s…', async (start) => {
    const secret = secretOf('ln')
    const line = await loggedFor(`/setup/${start}${secret.slice(7)}`)
    expect(leaks(line, secret)).toEqual([])
    expect(line).toInclude('/setup/***')
  })

  test('at up to four levels, in paths and queries, with hex digits of either case', async () => {
    const any = fc.record({
      kind: fc.constantFrom(...kinds),
      place: fc.constantFrom(...places),
      levels: fc.integer({ min: 0, max: 4 }),
      coins: fc.infiniteStream(fc.nat({ max: 11 })),
    })
    await fc.assert(
      fc.asyncProperty(any, async ({ kind, place, levels, coins }) => {
        const secret = secretOf(kind)
        const line = await loggedFor(place(encoded(secret, coins, levels)))
        expect(leaks(line, secret)).toEqual([])
      }),
      { numRuns: 500 },
    )
  }, 60_000)

  test('in headers with addresses, and in forms', async () => {
    const secret = secretOf('se')
    const sent = secret.replaceAll('_', '%5F')
    const headers = {
      referer: `http://localhost:3000/setup/${sent}`,
      origin: `http://${sent}`,
      cookie: `sid_3000=${sent}`,
      'x-forwarded-for': sent,
      'user-agent': sent,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = `csrf=${sent}&username=${sent}&password=${sent}&return_to=/${sent}`
    for (const target of ['/sign_in', '/confirm', '/oauth/token', '/oauth/revoke', '/language'])
      expect(leaks(await loggedFor(target, { method: 'POST', headers, body }), secret)).toEqual([])
  })
})

test('a secret that is truncated, extended or directly after another one is masked too', async () => {
  const secret = secretOf('pat')
  for (const sent of [
    secret.slice(0, -1),
    secret.slice(0, 30),
    `${secret}x`,
    `${secretOf('at')}${secret}`,
    secret.toUpperCase(),
  ]) {
    const line = await loggedFor(`/v1/works?filter_title=${sent}`)
    expect(leaks(line, secret)).toEqual([])
    expect(line).not.toInclude(sent.slice(-8))
  }
})

test('a parameter is masked by its name at any level of encoding, and inside another address', async () => {
  for (const [query, shown] of [
    ['acc%2565ss_token=short', 'acc%2565ss_token=***'],
    ['next=%2Fx%3Fstate%3Dhidden%26page%3D2&page=3', 'next=%2Fx%3Fstate%3D***&page=3'],
    ['next=%252Fx%253Fcode%253Dhidden%2526more&page=3', 'next=%252Fx%253Fcode%253D***&page=3'],
    ['a=b;password=hidden&page=3', 'a=b;password=***&page=3'],
    ['filter_title=the%20code%3D5&page=3', 'filter_title=the%20code%3D5&page=3'],
  ])
    expect(await loggedFor(`/v1/works?${query}`)).toInclude(`"url":"/v1/works?${shown}"`)
})

test('an address of nothing but percent signs takes no longer than others', async () => {
  const target = `/v1/works?filter_title=${'%25'.repeat(2)}${'25'.repeat(15_000)}`
  expect(await loggedFor(target)).toInclude('filter_title=')
})

test('whatever the event, the log itself masks anything in the form of a secret', () => {
  for (const format of ['json', 'human'] as const) {
    const written: string[] = []
    const secret = secretOf('ac')
    const log = createLog({
      format,
      level: 'info',
      budget: undefined,
      now: () => 0,
      write: (line) => written.push(line),
    })
    log('fault', {
      why: `no such row: ${secret.replaceAll('_', '%5F')} (${secret})`,
      status: 500,
      none: null,
    })
    expect(leaks(written.join('\n'), secret)).toEqual([])
    expect(written[0]).toInclude('no such row: *** (***)')
  }
})
