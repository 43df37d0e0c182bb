import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../support/instance'
import { readSvg } from '../support/svg'

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance()
})
afterAll(() => kiroku.close())

const versioned = async (id: number) => {
  const { works } = await kiroku.json(`/v1/works?filter_ids=${id}&fields=images`)
  return works[0].images.cover_url.replace('http://localhost:3000', '')
}

describe('GET /covers/<id>.svg', () => {
  test('draws the title for anybody, and says what browsers may do with it', async () => {
    const answer = await kiroku.ask('/covers/2.svg')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; frame-ancestors 'none'$/,
    )
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(readSvg(await answer.text()).length).toBeGreaterThan(0)
  })

  test('is cached for good only under its version, which the API includes', async () => {
    const { headers } = await kiroku.ask('/covers/2.svg')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    const other = await kiroku.ask('/covers/2.svg?v=other')
    expect(other.headers.get('cache-control')).toBe('public, max-age=300')
    const path = await versioned(2)
    const { headers: kept } = await kiroku.ask(path)
    expect(kept.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const again = await kiroku.ask(path, { headers: { 'if-none-match': kept.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('has a new version with a new title', async () => {
    const before = await versioned(7)
    await kiroku.deps.write((tx) =>
      tx.updateTable('works').set({ title: '新しい題' }).where('id', '=', 7).execute(),
    )
    const after = await versioned(7)
    expect(after).not.toBe(before)
    expect((await kiroku.ask(after)).headers.get('cache-control')).toContain('immutable')
  })

  test('is 404 for an unknown or hidden work, and for other names', async () => {
    await kiroku.deps.write((tx) => tx.updateTable('works').set({ hidden: 1 }).where('id', '=', 3).execute())
    for (const file of [
      '99999.svg',
      '3.svg',
      '0.svg',
      '2.png',
      '2',
      'x.svg',
      '2.svg.svg',
      `${'9'.repeat(40)}.svg`,
    ])
      expect([file, (await kiroku.ask(`/covers/${file}`)).status]).toEqual([file, 404])
  })

  test('reveals nothing to those who try ids, unless the catalogue is public', async () => {
    const closed = await createInstance({ config: { publicCatalogue: false } })
    const path = await versioned(2)
    expect((await closed.ask(path)).status).toBe(200)
    for (const guess of ['/covers/2.svg', '/covers/2.svg?v=other'])
      expect([guess, (await closed.ask(guess)).status]).toEqual([guess, 404])
    await closed.close()
  })

  test('writes nothing', async () => {
    const before = kiroku.deps.generations.last()
    await kiroku.ask('/covers/2.svg')
    expect(kiroku.deps.generations.last()).toBe(before)
  })
})
