import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPromise } from 'yauzl'
import { createUser } from '../../../src/accounts/account/user'
import { detect } from '../../../src/transfer/detect'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor

beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const path = '/settings/export'
const action = `${path}/download`

/** The bytes of a response: a `Visitor` reads only text. */
async function download(file: string, visitor = mio): Promise<Response> {
  const inputs = hiddenInputs((await visitor.open(path)).text, action)
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
  const body = new URLSearchParams({ ...inputs, file }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  return await kiroku.ask(action, { method: 'POST', body, headers: { ...type, cookie } })
}

async function save(file: string): Promise<string> {
  const target = join(kiroku.deps.config.data, file)
  writeFileSync(target, await (await download(file)).bytes())
  return target
}

describe('an export is refused', () => {
  test('to strangers and to a session not confirmed within a quarter of an hour, whatever the file (§2.2)', async () => {
    const stranger = await createVisitor(kiroku).post(action, { file: 'mal', csrf: 'x' })
    expect([stranger.location, stranger.headers.get('content-disposition')]).toEqual([
      expect.stringMatching(/^\/sign_in\?/),
      null,
    ])
    const idle = await createMember(kiroku, 'mio')
    const inputs = hiddenInputs((await idle.open(path)).text, action)
    kiroku.clock.now += 15 * 60_000 + 1
    expect((await idle.post(action, { ...inputs, file: 'all' })).location).toStartWith('/confirm?')
    kiroku.clock.now -= 15 * 60_000 + 1
  })

  test.each(['', 'anidb', 'kiroku.left-out', '../mal'])('as a file that there is not: %p', async (file) => {
    const { status, text } = await mio.submit(path, { file }, action)
    expect(status).toBe(422)
    expect(text).toContain('file: must be one of all, kiroku, mal, yamtrack, simkl, csv, mal.left-out')
  })
})

describe('open downloads are bounded (promise 12)', () => {
  const open: Response[] = []
  const drop = async () => {
    for (const response of open.splice(0)) if (!response.bodyUsed) await response.body?.cancel()
  }
  const refused = async (visitor: Visitor) => {
    const response = await download('kiroku', visitor)
    const isRefused = response.status !== 200
    if (!isRefused) open.push(response)
    return isRefused ? [response.status, response.headers.get('retry-after')] : []
  }

  test('three a person: a fourth is refused until one is read or given up', async () => {
    for (let nth = 0; nth < 3; nth += 1) expect(await refused(mio)).toEqual([])
    expect(await refused(mio)).toEqual([429, '30'])
    expect(await refused(await createMember(kiroku, 'azusa'))).toEqual([])
    await open[0]?.text()
    expect(await refused(mio)).toEqual([])
    expect(await refused(mio)).toEqual([429, '30'])
    await open[1]?.body?.cancel()
    expect(await refused(mio)).toEqual([])
    await drop()
  })

  test('24 in all; afterwards they are free again', async () => {
    const names = Array.from({ length: 9 }, (_, nth) => `reader${nth}`)
    const { write, now, passwordCost } = kiroku.deps
    for (const username of names) {
      const reader = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
      await createUser({ write, now, passwordCost }, reader)
    }
    const readers = await Promise.all(names.map((name) => createMember(kiroku, name)))
    for (const reader of readers.slice(0, 8))
      for (let nth = 0; nth < 3; nth += 1) expect(await refused(reader)).toEqual([])
    const [last] = readers.slice(8)
    if (last === undefined) throw new Error('no reader')
    expect(await refused(last)).toEqual([503, '30'])
    await drop()
    expect(await refused(last)).toEqual([])
    await drop()
  })
})

describe('the page', () => {
  test('offers each format with its purpose, and says how many works it leaves out', async () => {
    const { text } = await mio.open(path)
    const values = [...text.matchAll(/name="file" value="([^"]+)"/g)].map(([, value]) => value)
    expect(values).toEqual(['all', 'kiroku', 'mal.left-out', 'mal', 'yamtrack', 'simkl', 'csv'])
    expect(text).toMatch(/\d works? do(?:es)? not fit\./)
    const japanese = await (await createMember(kiroku, 'mio', { language: 'ja' })).open(path)
    expect(japanese.text).toContain('データの書き出し')
  })

  test('is reached from its former address, and from the settings', async () => {
    expect((await mio.open('/settings/data')).location).toBe(path)
    expect((await mio.open('/settings')).text).toContain(`href="${path}"`)
  })
})

describe('a download', () => {
  test.each([
    ['all', 'application/zip', 'kiroku-mio-2026-04-01.zip'],
    ['kiroku', 'application/json; charset=utf-8', 'kiroku-mio-2026-04-01.json'],
    ['mal', 'application/gzip', 'kiroku-mio-2026-04-01-mal.xml.gz'],
    ['mal.left-out', 'text/csv; charset=utf-8', 'kiroku-mio-2026-04-01-mal.left-out.csv'],
    ['yamtrack', 'text/csv; charset=utf-8', 'kiroku-mio-2026-04-01-yamtrack.csv'],
    ['simkl', 'text/csv; charset=utf-8', 'kiroku-mio-2026-04-01-simkl.csv'],
    ['csv', 'text/csv; charset=utf-8', 'kiroku-mio-2026-04-01-records.csv'],
  ])('of %s is a file with its type and name, which nobody keeps', async (file, type, name) => {
    const { status, headers, body } = await download(file)
    await body?.cancel()
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(headers.get('cache-control')).toBe('private, no-store')
    const line = kiroku.lines.findLast(({ event }) => event === 'data_downloaded')
    expect(line?.facts).toMatchObject({ user: 1, file })
  })

  test.each(['kiroku', 'yamtrack', 'simkl', 'csv'])('of %s is one that an import reads', async (file) => {
    const { reader, contents } = await detect(await save(file), 'any name')
    expect(reader.source).toBe(file as typeof reader.source)
    expect((await Array.fromAsync(reader.rows(contents))).length).toBeGreaterThan(0)
  })

  test('of everything is a zip with a file per format, and lists of what each leaves out', async () => {
    const target = await save('all')
    const zip = await openPromise(target, { lazyEntries: true })
    const names: string[] = []
    for await (const entry of zip.eachEntry()) names.push(entry.fileName)
    expect(names).toEqual([
      'kiroku.json',
      'mal.xml.gz',
      'mal.left-out.csv',
      'yamtrack.csv',
      'simkl.csv',
      'records.csv',
      'lists/1 見返したい.csv',
      'lists/2 友だちと見る.csv',
    ])
    const { reader, contents } = await detect(target, 'x.zip')
    expect(reader.source).toBe('kiroku')
    const alone = await detect(await save('kiroku'), 'x.json')
    expect(await Array.fromAsync(reader.rows(contents))).toEqual(
      await Array.fromAsync(alone.reader.rows(alone.contents)),
    )
  })

  test('that is cancelled stops reading', async () => {
    const response = await download('all')
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const again = await download('all')
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })
})
