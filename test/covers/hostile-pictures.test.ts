import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mostBytes } from '../../src/covers/images/store'
import { sweepFiles } from '../../src/covers/images/unused'
import type { Bytes } from '../../src/http/bytes'
import { createInstance, type Instance } from '../support/instance'
import {
  animated,
  cmyk,
  commented,
  extended,
  frames,
  gif,
  jpegOf,
  keyed,
  progressive,
  riffChunks,
  statingSize,
  withProfile,
  withSegments,
} from '../support/picture-files'
import { bomb, inflating, noise, picture, send, storedPictures, withChunks } from '../support/pictures'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const files = () => storedPictures(kiroku)
const path = '/works/2/cover'
const forget = async () => {
  for (const what of ['remove', 'forget']) await mio.submit(path, {}, `${path}/${what}`)
}

describe('of a picture, only its pixels are stored and served:', () => {
  const mebi = 1024 * 1024
  const png = () => picture(300, 450, 'png')
  const cases: readonly [string, () => Promise<Bytes>][] = [
    [
      'a PNG with a colour profile of 15 MB',
      async () => withChunks(await png(), [['iCCP', inflating(15_000_000)]]),
    ],
    [
      'a PNG with 300 texts of 500 KB',
      async () => withChunks(await png(), new Array(300).fill(['zTXt', inflating(500_000)])),
    ],
    ['a PNG with a text of 4 MB', async () => withChunks(await png(), [['tEXt', keyed(4 * mebi)]])],
    ['a PNG with Exif data', async () => withChunks(await png(), [['eXIf', Buffer.alloc(mebi)]])],
    ['an animated PNG of 1,000 frames', async () => withChunks(await png(), frames(1000))],
    ['a JPEG with a colour profile in 70 parts', async () => withSegments(await picture(300, 450), 0xe2, 70)],
    ['a JPEG with Exif data and a comment', async () => commented(await picture(300, 450))],
    [
      'a WebP with a colour profile, Exif data and XMP',
      async () => extended(await picture(300, 450, 'webp')),
    ],
    ['an animated GIF', async () => gif],
    ['a JPEG in CMYK', async () => cmyk],
  ]
  test.each(cases)('%s', async (_, make) => {
    const sent = await send(mio, path, await make())
    expect([sent.status, sent.textOf('picture-problem')]).toEqual([303, ''])
    expect(files()).toHaveLength(3)
    for (const name of files()) {
      const stored = await Bun.file(join(kiroku.deps.config.data, 'images', name)).bytes()
      const chunks = riffChunks(stored)
      expect(chunks.filter((type) => !/^(VP8[ LX]|ALPH)$/.test(type))).toEqual([])
      expect(stored.length).toBeLessThan(50_000)
      const served = await kiroku.ask(`/images/${name.split('/').at(-1)}`)
      expect(Buffer.from(await served.bytes()).equals(stored)).toBe(true)
    }
    await forget()
  })
})

test('a JPEG in CMYK keeps its colours', async () => {
  await send(mio, '/settings/avatar', cmyk)
  const file = Bun.file(join(kiroku.deps.config.data, 'images', files()[0] ?? ''))
  const webp = await new Bun.Image(await file.bytes()).resize(1, 1).png({ palette: true, colors: 2 }).bytes()
  const at = Buffer.from(webp).indexOf('PLTE')
  const [red = 0, green = 255, blue = 0] = webp.subarray(at + 4)
  expect([red > 190, green < 80, blue > 130]).toEqual([true, true, true])
  for (const what of ['remove', 'forget'])
    await mio.submit('/settings/avatar', {}, `/settings/avatar/${what}`)
})

describe('what takes too much memory or space is refused, and nothing of it is stored:', () => {
  const cases: readonly [string, () => Promise<Bytes>, RegExp][] = [
    ['a PNG of 11 million pixels', async () => bomb(3400, 3300), /too many pixels/],
    [
      'a WebP of 11 million pixels',
      async () => statingSize(await picture(66, 99, 'webp'), 3400, 3300),
      /too many pixels/,
    ],
    [
      'a JPEG of 21 million pixels',
      async () => statingSize(await picture(66, 99), 5000, 4200),
      /too many pixels/,
    ],
    [
      'a progressive JPEG of 21 million samples',
      async () => statingSize(await progressive(await picture(66, 99)), 3400, 3300),
      /too many pixels/,
    ],
    // Bun 1.4.5 cannot decode it.
    ['an animated WebP', async () => animated(await picture(300, 450, 'webp')), /damaged/],
    ['coloured noise, which cannot be compressed', () => noise(640, 960), /too much fine detail/],
  ]
  test.each(cases)('%s', async (_, make, told) => {
    const answer = await send(mio, path, await make())
    expect([answer.status, answer.textOf('picture-problem')]).toEqual([422, expect.stringMatching(told)])
    expect(files()).toEqual([])
  })

  test('while a screenshot of 3840 by 2160 pixels and a photo of 20 million are accepted', async () => {
    for (const bytes of [bomb(3840, 2160), await jpegOf(bomb(5477, 3651))]) {
      expect((await send(mio, path, bytes)).status).toBe(303)
      await forget()
    }
  }, 60_000)
})

describe('a member’s pictures', () => {
  test('take up 60 MB at most, previous ones included; a removed one makes room again', async () => {
    await send(mio, path, await picture(300, 450))
    await send(mio, path, await picture(450, 300))
    await send(mio, '/settings/avatar', await picture(300, 300))
    const former = await kiroku.deps.read.selectFrom('former_images').select('hash').executeTakeFirstOrThrow()
    const [large = ''] = files().filter((name) => name.includes(former.hash))
    const stored = join(kiroku.deps.config.data, 'images', large)
    truncateSync(stored, mostBytes)
    const before = files()
    const answer = await send(mio, '/settings/avatar', await picture(320, 320))
    expect([answer.status, answer.textOf('picture-problem')]).toEqual([
      422,
      'Your pictures, including the previous ones, already take up 60 MB. Remove some first.',
    ])
    expect(files()).toEqual(before)
    await mio.submit(path, {}, `${path}/forget`)
    expect((await send(mio, '/settings/avatar', await picture(320, 320))).status).toBe(303)
    await forget()
    for (const what of ['remove', 'forget'])
      await mio.submit('/settings/avatar', {}, `/settings/avatar/${what}`)
    expect(files()).toEqual([])
  })

  test('that a former version stored with their colour profile are made again under the same name', async () => {
    await send(mio, path, await picture(300, 450))
    const [name = ''] = files()
    const hash = name.slice(3, 35)
    const before = files()
    for (const one of before) {
      const file = join(kiroku.deps.config.data, 'images', one)
      writeFileSync(file, withProfile(readFileSync(file), 15_000_000))
      utimesSync(file, 1, 1)
    }
    await sweepFiles(kiroku.deps)
    expect(files()).toEqual(before)
    for (const one of before) {
      const bytes = readFileSync(join(kiroku.deps.config.data, 'images', one))
      expect([riffChunks(bytes), bytes.length < 50_000]).toEqual([['VP8 '], true])
      const { width } = await new Bun.Image(bytes).metadata()
      expect(one).toBe(`${hash.slice(0, 2)}/${hash}-${width}.webp`)
    }
    expect(kiroku.lines.filter(({ event }) => event === 'picture_reduced').map(({ facts }) => facts)).toEqual(
      [{ picture: hash }],
    )
    await forget()
  })
})
