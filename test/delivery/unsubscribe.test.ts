import { afterAll, describe, expect, test } from 'bun:test'
import { baseUrl, createDigests, morning } from '../support/digests'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor } from '../support/visitor'

const { kiroku, handle, smtp, run, told, close } = await createDigests()
afterAll(close)

describe('it is ended with one click, without signing in (RFC 8058)', () => {
  const digest = () => handle.query('select digest from users where id = 1').get()
  const address = async () => {
    told()
    await run(morning(2))
    return /List-Unsubscribe: <https:\/\/kiroku\.example([^>]+)>/.exec(smtp.letters[0]?.head ?? '')?.[1] ?? ''
  }

  test('by a mail service, which sends a POST with neither cookie nor origin', async () => {
    const path = await address()
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await kiroku.ask(path, { method: 'POST', body, headers })
    expect([response.status, digest()]).toEqual([200, { digest: '' }])
    told()
    await run(morning(3))
    expect(smtp.letters).toHaveLength(1)
  })

  test('by a person, who sees what happens; opening the page changes nothing', async () => {
    const path = await address()
    const visitor = createVisitor(kiroku)
    for (const headers of [{}, { 'sec-purpose': 'prefetch' }]) {
      const page = await visitor.open(path, { headers })
      expect([page.status, page.text.includes('No more morning e-mails?')]).toEqual([200, true])
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect((await kiroku.ask(path, { method: 'HEAD' })).status).toBe(200)
    }
    expect(digest()).not.toEqual({ digest: '' })
    const done = await visitor.submit(path)
    expect([done.status, done.text.includes('You get no more morning e-mails'), digest()]).toEqual([
      200,
      true,
      { digest: '' },
    ])
    expect((await visitor.submit(path)).status).toBe(200)
  })

  test('another secret is not known, and says nothing', async () => {
    const path = await address()
    const wrong = path.replace(/.{49}$/, (text) => [...text].reverse().join(''))
    for (const method of ['GET', 'POST']) expect((await kiroku.ask(wrong, { method })).status).toBe(404)
    expect(digest()).not.toEqual({ digest: '' })
    expect(JSON.stringify(kiroku.lines)).not.toContain(path.slice(-49))
  })
})

test('the settings offer it where there is a mail server, and say so where there is none', async () => {
  const mio = await createMember(kiroku, 'mio')
  const path = '/settings/notifications'
  handle.run("update users set digest = '' where id = 1")
  told()
  const secure = { 'sec-fetch-site': 'same-origin', origin: baseUrl }
  const { text } = await mio.open(path)
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
  await mio.post(path, { csrf, shown_digest: '', digest_like: '1' }, secure)
  expect(handle.query('select digest from users where id = 1').get()).toEqual({ digest: 'like' })
  await run()
  // What was told before is no news.
  await run(morning(2))
  expect(smtp.letters).toEqual([])
  const without = await createInstance({ seed: seedLibrary })
  const page = await (await createMember(without, 'mio')).open(path)
  expect([
    page.text.includes('name="digest_like"'),
    page.text.includes('This server sends no e-mail'),
  ]).toEqual([false, true])
  await without.close()
})
