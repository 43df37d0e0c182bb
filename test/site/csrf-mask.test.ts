import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember, hiddenInputs } from '../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)

const mio = await createMember(kiroku, 'mio')
const page = '/settings/display'

const tokenOf = async (visitor = mio) => hiddenInputs((await visitor.open(page)).text, page).csrf ?? ''
const post = async (csrf: string) => (await mio.post(page, { csrf, theme: 'dark' })).status

test("a page's CSRF token differs in each response, is the same within it, and all of them are accepted", async () => {
  const tokens = [await tokenOf(), await tokenOf(), await tokenOf()]
  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) expect([token.length, await post(token)]).toEqual([86, 303])
  const { text } = await mio.open(page)
  const within = [...text.matchAll(/name="csrf" value="([^"]+)"/g)].map(([, token]) => token)
  expect([within.length > 1, new Set(within).size]).toEqual([true, 1])
})

test("one that is altered, somebody else's, or not masked is refused", async () => {
  const token = await tokenOf()
  const bytes = Buffer.from(token, 'base64url')
  const plain = bytes.subarray(0, 32).map((byte, index) => byte ^ (bytes[index + 32] ?? 0))
  const altered = Uint8Array.from(bytes, (byte, index) => (index === 5 ? byte ^ 1 : byte))
  const wrong = [
    '',
    'A'.repeat(86),
    Buffer.from(altered).toString('base64url'),
    Buffer.from(plain).toString('base64url'),
    token.slice(0, -1),
    `${token}A`,
    `${token.slice(0, -1)}=`,
    await tokenOf(await createMember(kiroku, 'azusa')),
  ]
  for (const csrf of wrong) expect([csrf, await post(csrf)]).toEqual([csrf, 403])
})
