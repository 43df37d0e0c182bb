import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember, createVisitor, hiddenInputs } from '../support/visitor'

const kiroku = await createInstance({ config: { baseUrl: 'http://localhost:3000/anime' } })
afterAll(kiroku.close)

/** Where the form redirects a reader who came to it from `referer`. */
async function ledFrom(referer: string): Promise<string> {
  const visitor = createVisitor(kiroku)
  const { text } = await visitor.open('/anime/language?to=ja', { headers: { referer } })
  const inputs = hiddenInputs(text, '/anime/language')
  return (await visitor.post('/anime/language', { ...inputs, language: 'ja' })).location
}

test('choosing a language returns to the previous page', async () => {
  const here = 'http://localhost:3000'
  expect(await ledFrom(`${here}/anime/search?q=x`)).toBe('/anime/search?q=x')
  for (const elsewhere of ['', 'https://evil.example/search', 'http://localhost:3000.evil.example/'])
    expect([elsewhere, await ledFrom(elsewhere)]).toEqual([elsewhere, '/anime/'])
})

test('the form redirects to no other site, whatever is sent', async () => {
  const mio = await createMember(kiroku, 'mio')
  const inputs = hiddenInputs((await mio.open('/anime/language')).text, '/anime/language')
  const sent = { ...inputs, language: 'ja', return_to: '//evil.example/' }
  expect((await mio.post('/anime/language', sent)).location).toBe('/anime/')
})
