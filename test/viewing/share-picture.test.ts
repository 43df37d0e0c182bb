import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { exportUser } from '../../src/accounts/export/export'
import { imagesIn } from '../../src/backup/images'
import { mostBytes } from '../../src/covers/images/store'
import { sweepFiles } from '../../src/covers/images/unused'
import { keptMs } from '../../src/library/acts/act'
import { undo } from '../../src/library/acts/undo'
import { createInstance, formData, type Instance } from '../support/instance'
import {
  bomb,
  inflating,
  noise,
  picture,
  send,
  storedPictures,
  withChunks,
  withText,
} from '../support/pictures'
import { createMember, createVisitor, hiddenInputs, sameOrigin, type Visitor } from '../support/visitor'
import { addRecords } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
let visitor: Visitor
let ritsu: Visitor
const today = Date.parse('2026-04-01T03:00:00Z')
beforeAll(async () => {
  kiroku = await createInstance()
  kiroku.clock.now = today
  mio = await createMember(kiroku, 'mio')
  ritsu = await createMember(kiroku, 'Ritsu_T')
  visitor = createVisitor(kiroku)
  await addRecords(kiroku, [{ user_id: 1, episode_id: 1, watched_at: Date.parse('2025-05-01T16:30:00Z') }])
})
afterAll(() => kiroku.close())
beforeEach(() => {
  kiroku.clock.now = today
  for (const table of ['shares', 'changes', 'acts']) run(`delete from ${table}`)
  rmSync(join(kiroku.deps.config.data, 'images'), { recursive: true, force: true })
})

const page = '/@mio/2025'
const png = (width = 1200, height = 630) => picture(width, height, 'png')
const run = (sql: string) => kiroku.store.handle.run(sql)
const files = () => storedPictures(kiroku)

/** As the page's script sends it; without bytes, as a page without script does. */
async function share(bytes?: Uint8Array<ArrayBuffer>, audience = 'public') {
  const { text } = await mio.open(`${page}/share`)
  const sent = bytes === undefined ? '' : new File([bytes], 'year.png', { type: 'image/png' })
  const body = formData({ ...hiddenInputs(text, '/year/share'), audience, picture: sent })
  return await mio.open('/year/share', { method: 'POST', body, headers: sameOrigin })
}
const stop = () => mio.submit(page, {}, '/year/unshare')
async function undoLast(): Promise<void> {
  const [[id] = []] = kiroku.store.handle.query('select max(id) from acts where undone_at is null').values()
  await undo(kiroku.deps, 1, { actId: Number(id) })
}
const shown = async (by: Visitor) => (await by.open(`${page}/share.png`)).status
/** As an hour later, with files that are old enough. */
async function sweep(): Promise<void> {
  for (const name of files()) utimesSync(join(kiroku.deps.config.data, 'images', name), 1, 1)
  await sweepFiles(kiroku.deps)
}

describe('the picture of a shared year (D91, D92)', () => {
  test('is a PNG written anew, shown as the share is and named by its page', async () => {
    expect((await share(withText(await png(), 'somewhere at home'))).status).toBe(303)
    const [name = '', ...others] = files()
    expect([name, others]).toEqual([expect.stringMatching(/^([0-9a-f]{2})\/\1[0-9a-f]{30}-1200\.png$/), []])
    const answer = await kiroku.ask(`${page}/share.png`)
    const bytes = await answer.bytes()
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      'image/png',
      'no-store',
    ])
    expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 1200, height: 630, format: 'png' })
    expect(Buffer.from(bytes).includes('somewhere')).toBe(false)
    const { text } = await visitor.open(page)
    const tags = Object.fromEntries(
      [...text.matchAll(/<meta (?:property|name)="(og:image[^"]*|twitter:card)" content="([^"]*)"/g)].map(
        ([, tag, content]) => [tag, content],
      ),
    )
    expect(tags).toEqual({
      'og:image': expect.stringMatching(/^http:\/\/localhost:3000\/@mio\/2025\/share\.png\?v=\d+$/),
      'og:image:type': 'image/png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': expect.stringContaining('A year in anime: '),
      'twitter:card': 'summary_large_image',
    })
    // Not among the pictures that anybody reads whose address they know.
    expect((await visitor.open(`/images/${name.slice(3)}`)).status).toBe(404)
    expect((await visitor.open(`/images/${name.slice(3).replace('png', 'webp')}`)).status).toBe(404)
  })

  test('is none without script, and that of a former copy is not shown with a new one', async () => {
    await share()
    expect([files(), await shown(visitor)]).toEqual([[], 404])
    expect((await visitor.open(page)).text).not.toContain('og:image')
    await share(await png())
    expect(await shown(visitor)).toBe(200)
    await share()
    expect(await shown(visitor)).toBe(404)
  })

  test('is seen by those who see the share, and by nobody once it is stopped; an undo brings both back', async () => {
    await share(await png(), 'members')
    expect([await shown(mio), await shown(ritsu), await shown(visitor)]).toEqual([200, 200, 303])
    await stop()
    expect([await shown(mio), await shown(ritsu), await shown(visitor)]).toEqual([404, 404, 303])
    kiroku.clock.now += keptMs - 60_000
    await sweep()
    await undoLast()
    // Sessions have ended meanwhile.
    run("update shares set audience = 'public'")
    expect(await shown(visitor)).toBe(200)
    kiroku.clock.now -= keptMs - 60_000
    await undoLast()
    expect(await shown(ritsu)).toBe(404)
    await sweep()
    expect(files()).toEqual([])
  })

  test('is deleted when what was stopped or replaced can no longer come back, and with the account', async () => {
    await share(await png())
    await share(await lines())
    expect(files()).toHaveLength(2)
    kiroku.clock.now += keptMs + 60_000
    await sweep()
    expect(files()).toHaveLength(1)
    expect(await shown(visitor)).toBe(200)
    run('delete from changes')
    run('delete from shares')
    await sweep()
    expect(files()).toEqual([])
  })

  test('is in backups', async () => {
    await share(await png())
    expect(imagesIn(join(kiroku.deps.config.data, 'images'))).toEqual(files())
  })

  const refused: readonly [string, () => Promise<Uint8Array<ArrayBuffer>>, RegExp][] = [
    ['text', async () => Buffer.from('hello'), /not a JPEG/],
    ['a JPEG', () => picture(1200, 630), /not a JPEG/],
    ['a WebP', () => picture(1200, 630, 'webp'), /not a JPEG/],
    ['another size', () => png(1200, 631), /1200 × 630/],
    ['the tall one', () => png(1080, 1920), /1200 × 630/],
    ['a bomb', async () => bomb(20_000), /too many pixels/],
    ['half of it', async () => png().then((whole) => whole.slice(0, whole.length / 2)), /damaged/],
    ['its head alone', async () => png().then((whole) => whole.slice(0, 33)), /damaged/],
    ['more than 2 MiB', async () => withText(await png(), 'a'.repeat(2 ** 21)), /too much fine detail/],
  ]
  test.each(refused)('refuses %s, and nothing is shared', async (_, make, told) => {
    const answer = await share(await make())
    expect([answer.status, told.test(answer.text) || answer.text]).toEqual([422, true])
    expect([files(), kiroku.store.handle.query('select id from shares').all()]).toEqual([[], []])
  })

  test('reads no profile or text of its own: they may inflate to more than all memory', async () => {
    const bytes = withChunks(await png(), [['iCCP', inflating(50_000_000)]])
    expect((await share(bytes)).status).toBe(303)
    expect(files()).toHaveLength(1)
  })

  test('a body that is too large, no file, and a session that has ended are told as such', async () => {
    expect((await share(new Uint8Array(5 * 1024 * 1024 + 65_536))).status).toBe(413)
    const { text } = await mio.open(`${page}/share`)
    const sent = { ...hiddenInputs(text, '/year/share'), audience: 'public', picture: 'words' }
    expect((await mio.post('/year/share', sent)).status).toBe(422)
    const body = formData({
      period: '2025',
      audience: 'public',
      picture: new File([await noise(400, 400)], 'a.png'),
    })
    const answer = await visitor.open('/year/share', { method: 'POST', body, headers: sameOrigin })
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/sign_in\?/)])
    expect(kiroku.store.handle.query('select id from shares').all()).toEqual([])
  })

  test('counts among the 60 MB of its owner’s pictures, also as a former one', async () => {
    await share(await png())
    await stop()
    const [name = ''] = files()
    truncateSync(join(kiroku.deps.config.data, 'images', name), mostBytes)
    expect((await send(mio, '/settings/avatar', await picture(320, 320))).text).toContain('60 MB')
    const answer = await share(await lines())
    expect([answer.status, answer.text.includes('60 MB')]).toEqual([422, true])
    expect(files()).toEqual([name])
  })

  test('is in the export by its path', async () => {
    await share(await png())
    let text = ''
    for await (const piece of exportUser(kiroku.deps, 1)) text += piece
    expect(JSON.parse(text).shares).toMatchObject([{ period: '2025', picture: '/@mio/2025/share.png' }])
  })
})

/** Another picture than `png`. */
const lines = async () =>
  new Uint8Array(
    await new Bun.Image(await picture(630, 630, 'png')).resize(1200, 630, { fit: 'fill' }).png().bytes(),
  )
