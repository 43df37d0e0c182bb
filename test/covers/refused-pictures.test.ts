import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { mostPictures } from '../../src/covers/images/store'
import { createInstance, formData, type Instance } from '../support/instance'
import { bomb, picture, send, storedPictures, withText } from '../support/pictures'
import { createMember, createVisitor, hiddenInputs, sameOrigin, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const files = () => storedPictures(kiroku)

describe('what is not accepted', () => {
  const cases: readonly [string, () => Promise<Uint8Array<ArrayBuffer>>, RegExp][] = [
    ['an empty file', async () => new Uint8Array(), /file is empty/],
    ['text', async () => Buffer.from('hello'), /not a JPEG/],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a JPEG/],
    ['a BMP', async () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]), /not a JPEG|damaged/],
    ['a bomb of 20,000 by 20,000 pixels', async () => bomb(20_000), /too many pixels/],
    ['half a PNG', async () => half(await picture(600, 600, 'png')), /damaged or incomplete/],
    ['half a JPEG', async () => half(await picture(600, 600)), /damaged or incomplete/],
    ['half a WebP', async () => half(await picture(600, 600, 'webp')), /damaged or incomplete/],
    [
      'the head of a PNG alone',
      async () => (await picture(600, 600, 'png')).slice(0, 33),
      /damaged or incomplete/,
    ],
    ['30 by 30 pixels', async () => picture(30, 30), /too small/],
    ['one line of pixels', async () => picture(3000, 1), /too small/],
  ]
  test.each(cases)('%s', async (_, make, told) => {
    for (const path of ['/works/2/cover', '/settings/avatar']) {
      const answer = await send(mio, path, await make())
      expect([answer.status, told.test(answer.text) || answer.text]).toEqual([422, true])
    }
    expect(files()).toEqual([])
  })

  test('more than 5 MB', async () => {
    const answer = await send(mio, '/settings/avatar', new Uint8Array(5 * 1024 * 1024 + 65_536))
    expect(answer.status).toBe(413)
    expect(answer.textOf('picture-problem')).toBe(
      'The file is larger than 5 MB. Make it smaller and try again.',
    )
    expect(answer.text).toContain('action="/settings/avatar" enctype="multipart/form-data"')
  })

  test('more than 64 KB from a visitor', async () => {
    const body = formData({ picture: new File([new Uint8Array(70_000)], 'a.png') })
    const answer = await createVisitor(kiroku).open('/settings/avatar', {
      method: 'POST',
      body,
      headers: sameOrigin,
    })
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/sign_in\?/)])
  })

  test('text instead of a file, no file, and two files', async () => {
    const page = await mio.open('/settings/avatar')
    const { csrf = '' } = hiddenInputs(page.text, '/settings/avatar')
    const twice = formData({ csrf, picture: new File([await picture(200, 200)], 'a.jpg') })
    twice.append('picture', new File(['b'], 'b.jpg'))
    for (const body of [formData({ csrf, picture: 'text' }), formData({ csrf }), twice])
      expect((await mio.open('/settings/avatar', { method: 'POST', body, headers: sameOrigin })).status).toBe(
        422,
      )
    expect((await mio.post('/settings/avatar', { csrf, picture: 'text' })).status).toBe(422)
  })

  test('a form from another site, or without its CSRF token', async () => {
    const body = () => formData({ csrf: 'x', picture: new File(['x'], 'a.jpg') })
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    expect(
      (await mio.open('/settings/avatar', { method: 'POST', body: body(), headers: elsewhere })).status,
    ).toBe(403)
    expect(
      (await mio.open('/settings/avatar', { method: 'POST', body: body(), headers: sameOrigin })).status,
    ).toBe(403)
  })

  test('metadata in a file', async () => {
    const secret = 'taken at 35.0116, 135.7681'
    const polyglot = Buffer.concat([
      withText(await picture(400, 400, 'png'), secret),
      Buffer.from(`<script>${secret}</script>`),
    ])
    await send(mio, '/settings/avatar', polyglot, 'a.html')
    expect(files()).toHaveLength(2)
    for (const name of files()) {
      const bytes = await Bun.file(join(kiroku.deps.config.data, 'images', name)).bytes()
      expect(Buffer.from(bytes).includes('135.7681')).toBe(false)
    }
    for (const what of ['remove', 'forget'])
      await mio.submit('/settings/avatar', {}, `/settings/avatar/${what}`)
  })

  test('more pictures than a member may have', async () => {
    await send(mio, '/works/2/cover', await picture(200, 300))
    await mio.submit('/works/2/cover', {}, '/works/2/cover/remove')
    const removed = files()
    const row = {
      kind: 'cover',
      user_id: 1,
      origin: 'upload',
      width: 1,
      height: 1,
      placeholder: '',
      created_at: 1,
    }
    const work = await kiroku.deps.read
      .selectFrom('works')
      .selectAll()
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    const { id: _id, season_rank: _rank, ...copied } = work
    await kiroku.deps.write(async (tx) => {
      for (let n = 0; n < mostPictures; n++) {
        const { id } = await tx.insertInto('works').values(copied).returning('id').executeTakeFirstOrThrow()
        await tx
          .insertInto('images')
          .values({ ...row, hash: 'a'.repeat(32), work_id: id })
          .execute()
      }
    })
    const answer = await send(mio, '/works/2/cover', await picture(200, 300))
    expect([answer.status, answer.text.includes('You already have 200 pictures')]).toEqual([422, true])
    const restored = await mio.submit('/works/2/cover', {}, '/works/2/cover/restore')
    expect([restored.status, restored.text.includes('You already have 200 pictures')]).toEqual([422, true])
    const { count } = await kiroku.deps.read
      .selectFrom('images')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect([count, files()]).toEqual([mostPictures, removed])
    await kiroku.deps.write((tx) => tx.deleteFrom('images').execute())
  })
})

const half = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, Math.floor(bytes.length / 2))
