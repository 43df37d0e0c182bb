import { expect, test } from 'bun:test'
import { checkSecret, createSecret, hashSecret, sameHash, secretPattern } from '../../src/lib/secret'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

test('D49, ST-04: a secret is its kind, 43 random digits and 6 of their CRC32 in base 62', () => {
  const zeros = createSecret('pat', (length) => new Uint8Array(length))
  expect(zeros).toBe(`kir_pat_${'0'.repeat(43)}${inBase62(Bun.hash.crc32('0'.repeat(43)))}`)
  for (const kind of ['at', 'pat', 'cs', 'ac'] as const) {
    const secret = createSecret(kind, random)
    expect(secret).toMatch(new RegExp(`^kir_${kind}_[0-9A-Za-z]{49}$`))
    expect(secret).toMatch(secretPattern)
    expect(checkSecret(kind, secret)).toBe(true)
  }
})

test('ST-04: bytes that would favour the first digits are discarded', () => {
  // 248…255 would otherwise be the digits 0…7 a fifth time
  const biased = (length: number) =>
    Uint8Array.from({ length }, (_, index) => (index % 2 ? 61 : 248 + (index % 8)))
  expect(createSecret('at', biased)).toStartWith(`kir_at_${'z'.repeat(43)}`)
})

test('ST-04: every digit can occur, and no two secrets are the same', () => {
  const secrets = Array.from({ length: 500 }, () => createSecret('ac', random))
  expect(new Set(secrets).size).toBe(500)
  expect(new Set(secrets.flatMap((secret) => [...secret.slice(7, 50)])).size).toBe(62)
})

test('ST-04: a typing error is detected without the database', () => {
  const secret = createSecret('pat', random)
  const wrong = [
    '',
    'kir_pat_',
    secret.slice(0, -1),
    `${secret}0`,
    ` ${secret}`,
    secret.replace('kir_pat_', 'kir_at_'),
    secret.replace('kir_', 'KIR_'),
    ...Array.from({ length: 49 }, (_, index) => withOtherDigit(secret, 8 + index)),
    secret.replace(/.{43}$/, 'é'.repeat(43)),
    `${secret}\n`,
  ]
  for (const text of wrong) expect([text, checkSecret('pat', text)]).toEqual([text, false])
  expect(checkSecret('at', secret)).toBe(false)
})

test('ST-01: a hash is the SHA-256 of the whole text; ST-02: hashes of different lengths can be compared', () => {
  expect(Buffer.from(hashSecret('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(sameHash(hashSecret('abc'), hashSecret('abc'))).toBe(true)
  expect(sameHash(hashSecret('abc'), hashSecret('abd'))).toBe(false)
  expect(sameHash(hashSecret('abc'), new Uint8Array(31))).toBe(false)
})

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function inBase62(number: number): string {
  const text = number < 62 ? '' : inBase62(Math.floor(number / 62))
  return (text.replace(/^0+/, '') + digits[number % 62]).padStart(6, '0')
}

function withOtherDigit(secret: string, index: number): string {
  const other = digits[(digits.indexOf(secret.charAt(index)) + 1) % 62]
  return secret.slice(0, index) + other + secret.slice(index + 1)
}
