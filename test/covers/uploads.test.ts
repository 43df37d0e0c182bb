import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { sweepFiles } from '../../src/covers/images/unused'
import { createInstance, formData, type Instance } from '../support/instance'
import { picture, send, storedPictures } from '../support/pictures'
import { createMember, hiddenInputs, sameOrigin, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
let azusa: Visitor
beforeAll(async () => {
  kiroku = await createInstance()
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
  )
  mio = await createMember(kiroku, 'mio')
  azusa = await createMember(kiroku, 'azusa')
})
afterAll(() => kiroku.close())

const files = () => storedPictures(kiroku)

const imageIn = (text: string) => /\/images\/[0-9a-f]{32}-[0-9]+\.webp/.exec(text)?.[0] ?? ''

const imagesOf = async (id: number) => (await kiroku.json(`/v1/works?filter_ids=${id}`)).works[0].images

describe('a cover', () => {
  test('for oneself is cropped to 2:3 in three widths, shown only to oneself, and cached for good', async () => {
    const sent = await send(mio, '/works/2/cover', await picture(900, 600))
    expect([sent.status, sent.location]).toEqual([303, '/works/2/cover'])
    const mine = imageIn((await mio.open('/works/2/cover')).text)
    expect(mine).not.toBe('')
    expect(imageIn((await azusa.open('/works/2/cover')).text)).toBe('')
    expect((await imagesOf(2)).cover_url).toContain('/covers/2.svg')
    expect((await imagesOf(2)).recommended_url).toBe('')
    const served = await kiroku.ask(mine)
    expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(served.headers.get('content-type')).toBe('image/webp')
    for (const width of [160, 320, 640]) {
      const file = await (await kiroku.ask(mine.replace(/-[0-9]+\./, `-${width}.`))).bytes()
      const { height, format } = await new Bun.Image(file).metadata()
      expect([format, height]).toEqual(['webp', width * 1.5])
    }
    expect(files()).toHaveLength(3)
    const [, sources = ''] = /srcset="([^"]*)" sizes="192px"/.exec((await mio.open('/works/2')).text) ?? []
    const named = [160, 320, 640].map((width) => `${mine.replace(/-[0-9]+\./, `-${width}.`)} ${width}w`)
    expect(sources).toBe(named.join(', '))
  })

  test('keeps the middle of a picture that is too wide', async () => {
    const path = imageIn((await mio.open('/works/2/cover')).text)
    const png = await new Bun.Image(await (await kiroku.ask(path)).bytes()).resize(1, 1).png().bytes()
    // The picture's thirds are red, green and blue; the middle 400 of 900 pixels are mostly green.
    const [red = 0, green = 0, blue = 0] = await pixelOf(png)
    expect(green).toBeGreaterThan(3 * Math.max(red, blue))
  })

  test('for everybody is uploaded only by administrators, and recommended by the API', async () => {
    expect((await mio.open('/works/1/shared_cover')).status).toBe(403)
    const before = await imagesOf(1)
    const sent = await send(azusa, '/works/1/shared_cover', await picture(600, 900, 'png'))
    expect([sent.status, sent.location]).toEqual([303, '/works/1/shared_cover'])
    const { recommended_url, cover_url } = await imagesOf(1)
    expect(recommended_url).toMatch(/^http:\/\/localhost:3000\/images\/[0-9a-f]{32}-640\.webp$/)
    expect(cover_url).toBe(recommended_url)
    expect(imageIn((await mio.open('/works/1/cover')).text)).not.toBe('')
    const plain = await kiroku.ask('/covers/1.svg')
    expect([plain.status, plain.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/images\/.*-320.webp$/),
    ])
    for (const what of ['remove', 'forget'])
      await azusa.submit('/works/1/shared_cover', {}, `/works/1/shared_cover/${what}`)
    expect((await kiroku.ask('/covers/1.svg')).status).toBe(200)
    expect(await imagesOf(1)).toEqual(before)
  })

  test('that is replaced or removed can be restored, and is deleted after the next one, or at once on request', async () => {
    const path = '/works/2/cover'
    const [one, other, third] = [
      await picture(640, 960, 'png'),
      await picture(700, 960, 'webp'),
      await picture(500, 960),
    ]
    await mio.submit(path, {}, `${path}/remove`)
    await mio.submit(path, {}, `${path}/forget`)
    await send(mio, path, one)
    const first = imageIn((await mio.open(path)).text)
    await send(azusa, path, one)
    expect(files()).toHaveLength(3)
    await send(mio, path, other)
    const second = imageIn((await mio.open(path)).text)
    expect((await mio.open(path)).text).toContain('Use it again')
    await mio.submit(path, {}, `${path}/restore`)
    expect([imageIn((await mio.open(path)).text), files().length]).toEqual([first, 6])
    await mio.submit(path, {}, `${path}/restore`)
    await mio.submit(path, {}, `${path}/remove`)
    await mio.submit(path, {}, `${path}/restore`)
    expect(imageIn((await mio.open(path)).text)).toBe(second)
    expect(files()).toHaveLength(6)
    await send(mio, path, third)
    await mio.submit(path, {}, `${path}/forget`)
    await mio.submit(path, {}, `${path}/remove`)
    await mio.submit(path, {}, `${path}/forget`)
    expect((await mio.open(path)).text).not.toContain('Use it again')
    expect(files()).toHaveLength(3)
    for (const what of ['remove', 'forget']) await azusa.submit(path, {}, `${path}/${what}`)
    expect(files()).toHaveLength(0)
  })

  test('of an unknown or hidden work is 404', async () => {
    expect((await mio.open('/works/99999/cover')).status).toBe(404)
    const fields = {
      csrf: hiddenInputs((await mio.open('/works/2/cover')).text, '/works/2/cover').csrf ?? '',
    }
    const body = formData({ ...fields, picture: new File([await picture(300, 300)], 'a.jpg') })
    expect((await mio.open('/works/99999/cover', { method: 'POST', body, headers: sameOrigin })).status).toBe(
      404,
    )
    expect(files()).toHaveLength(0)
  })
})

describe('an avatar', () => {
  test('is square, and the API’s picture of the user', async () => {
    const before = (await kiroku.json('/v1/me')).avatar_url
    await send(mio, '/settings/avatar', await picture(300, 200))
    const { avatar_url } = await kiroku.json('/v1/me')
    expect(avatar_url).toMatch(/^http:\/\/localhost:3000\/images\/[0-9a-f]{32}-192\.webp$/)
    const file = await (await kiroku.ask(avatar_url.replace('http://localhost:3000', ''))).bytes()
    expect(await new Bun.Image(file).metadata()).toEqual({ width: 192, height: 192, format: 'webp' })
    await mio.submit('/settings/avatar', {}, '/settings/avatar/remove')
    expect((await kiroku.json('/v1/me')).avatar_url).toBe(before)
    await mio.submit('/settings/avatar', {}, '/settings/avatar/restore')
    expect((await kiroku.json('/v1/me')).avatar_url).toBe(avatar_url)
    await mio.submit('/settings/avatar', {}, '/settings/avatar/remove')
    kiroku.clock.now += 31 * 86_400_000
    await sweepFiles(kiroku.deps)
    kiroku.clock.now -= 31 * 86_400_000
    expect(files()).toHaveLength(0)
  })

  test('made from a username is the same for everybody, even for unknown names', async () => {
    const made = await kiroku.ask('/avatars/mio.svg')
    expect([made.status, await made.text()]).toEqual([200, expect.stringContaining('>M</text>')])
    expect((await kiroku.ask('/avatars/nobody_here.svg')).status).toBe(200)
    for (const name of ['a<b.svg', 'mio', 'mio.png', `${'a'.repeat(21)}.svg`, '%3Cscript%3E.svg'])
      expect([name, (await kiroku.ask(`/avatars/${encodeURI(name)}`)).status]).toEqual([name, 404])
  })
})

test('files without a row are deleted, those with a row are kept', async () => {
  await send(mio, '/settings/avatar', await picture(200, 200))
  const directory = join(kiroku.deps.config.data, 'images')
  const kept = files()
  const stray = [
    join(directory, kept[0]?.slice(0, 2) ?? '', `${'b'.repeat(32)}-320.webp`),
    join(directory, 'cut.new'),
  ]
  for (const path of stray) await Bun.write(path, 'x')
  await sweepFiles(kiroku.deps)
  expect(stray.map((path) => existsSync(path))).toEqual([true, true])
  for (const path of [...stray, ...kept.map((name) => join(directory, name))]) age(path)
  await sweepFiles(kiroku.deps)
  expect(stray.map((path) => existsSync(path))).toEqual([false, false])
  expect(files()).toEqual(kept)
  expect(statSync(join(directory, kept[0] ?? '')).mode & 0o777).toBe(0o600)
})

test('the hourly sweep keeps a replaced picture, which can be restored, until 30 days have passed', async () => {
  const path = '/settings/avatar'
  for (const side of [240, 260]) await send(mio, path, await picture(side, side))
  const replaced = (await kiroku.json('/v1/me')).avatar_url
  const restored = async () => {
    for (const name of files()) age(join(kiroku.deps.config.data, 'images', name))
    await sweepFiles(kiroku.deps)
    const member = await createMember(kiroku, 'mio')
    await member.submit(path, {}, `${path}/restore`)
    const { avatar_url } = await kiroku.json('/v1/me')
    expect((await kiroku.ask(avatar_url.replace('http://localhost:3000', ''))).status).toBe(200)
    return avatar_url
  }
  kiroku.clock.now += 29 * 86_400_000
  expect(await restored()).not.toBe(replaced)
  expect(await restored()).toBe(replaced)
  kiroku.clock.now += 31 * 86_400_000
  await sweepFiles(kiroku.deps)
  expect((await (await createMember(kiroku, 'mio')).open(path)).text).not.toContain(`${path}/restore`)
  expect(new Set(files().map((name) => name.replace(/-\d+\.webp$/, ''))).size).toBe(1)
})

const age = (path: string) => Bun.spawnSync(['touch', '-d', '1 hour ago', path])

async function pixelOf(png: Uint8Array): Promise<readonly number[]> {
  const raw = await new Bun.Image(png).png({ compressionLevel: 0 }).bytes()
  const at = Buffer.from(raw).indexOf('IDAT')
  const length = Buffer.from(raw).readUInt32BE(at - 4)
  return [...inflateSync(raw.slice(at + 4, at + 4 + length))].slice(1, 4)
}
