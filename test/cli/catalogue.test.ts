import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { fillWithDefaultCatalogue, firstStart } from '../support/default-catalogue'
import { output, run } from '../support/in-process'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

/** What an import creates in an empty data directory. */
const made = ['catalogue.lock', 'high-water.json', 'kiroku.db', 'kiroku.lock']

const lines = (...more: object[]) =>
  [{ type: 'catalogue', version: 1, name: 'mine', mode: 'upsert' }, ...more]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
const two = lines(
  { type: 'work', key: 'mine:1', title: '一作目', media: 'tv' },
  { type: 'work', key: 'mine:2', title: '二作目', media: 'movie' },
)
const broken = `${lines({ type: 'work', key: 'mine:3' })}nonsense\n`

const works = async (directory: Directory) =>
  JSON.parse(await output(directory, ['catalogue', 'status', '--json'])).rows.work.shown

describe('catalogue import', () => {
  test('imports a file, twice, and an export of it', async () => {
    using directory = await preparedDirectory()
    writeFileSync(directory.file('two.jsonl'), two)
    expect(await output(directory, ['catalogue', 'import', 'two.jsonl'])).toContain('work: 2 created')
    const again = JSON.parse(await output(directory, ['catalogue', 'import', 'two.jsonl', '--json']))
    expect(again).toMatchObject({
      source: 'mine',
      failed: false,
      counts: { work: { created: 0, unchanged: 2 } },
    })
    const exported = await output(directory, ['catalogue', 'export'])
    expect(exported).toContain('"title":"一作目"')
    expect(await output(directory, ['catalogue', 'export', 'out.jsonl'])).toBe('')
    expect(await Bun.file(directory.file('out.jsonl')).text()).toBe(exported)
    expect(readdirSync(directory.path).sort()).toEqual(['data', 'out.jsonl', 'two.jsonl'])
    await output(directory, ['catalogue', 'import', 'out.jsonl', '--data', 'other'])
    expect(await output(directory, ['catalogue', 'export', '--data', 'other'])).toBe(exported)
  })

  test('D98: what a file made by hand corrects is written for others, who take it', async () => {
    using directory = await preparedDirectory()
    const wrong = lines({ type: 'work', key: 'annict:1', title: 'Wrong', media: 'tv' })
    for (const data of ['data', 'other'])
      await output(directory, ['catalogue', 'import', '-', '--data', data], { input: wrong })
    const right = lines({ type: 'work', key: 'annict:1', title: 'Right', media: 'tv' })
    await output(directory, ['catalogue', 'import', '-', '--source', 'admin'], { input: right })
    const args = ['catalogue', 'corrections', '--base-url', 'https://kiroku.example.net/log']
    const written = await output(directory, args)
    expect(
      written
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        ...{ type: 'catalogue', version: 1, name: 'corrections/kiroku.example.net', mode: 'upsert' },
        preserve_ids: ['annict'],
      },
      { type: 'work', key: 'annict:1', ids: {}, title: 'Right', was: { title: 'Wrong' } },
    ])
    expect(await output(directory, [...args, 'out.jsonl'])).toBe('')
    const take = ['catalogue', 'import', 'out.jsonl', '--data', 'other']
    expect(await output(directory, [...take, '--dry-run'])).toContain('corrections: 1 taken, 0 left')
    expect(await output(directory, take)).toContain('corrections: 1 taken, 0 left, 0 no longer needed')
    expect(await output(directory, ['catalogue', 'export', '--data', 'other'])).toContain('"title":"Right"')
    expect(await output(directory, [...args, '--since', '2020-01-01'])).not.toContain('Right')
    const refused = await run(directory, [...args, '--since', '2020-02-30'])
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--since')])
  })

  test('imports standard input, packed or not, under another name', async () => {
    using directory = temporaryDirectory()
    const args = ['catalogue', 'import', '-', '--source', 'theirs', '--json']
    const report = JSON.parse(await output(directory, args, { input: two }))
    expect(report).toMatchObject({ source: 'theirs', counts: { work: { created: 2 } } })
    const packed = JSON.parse(
      await output(directory, args, { input: Uint8Array.from(Bun.zstdCompressSync(two)) }),
    )
    expect(packed).toMatchObject({ counts: { work: { unchanged: 2 } } })
    expect(readdirSync(directory.file('data')).toSorted()).toEqual(made)
  })

  test('with --dry-run says what it would do, and does nothing', async () => {
    using directory = await preparedDirectory()
    expect(await output(directory, ['catalogue', 'import', '-', '--dry-run'], { input: two })).toContain(
      '2 created',
    )
    expect(await works(directory)).toBe(0)
  })

  test('is refused with 65 and a line per problem, and changes nothing', async () => {
    using directory = await preparedDirectory()
    const { code, stdout, stderr } = await run(directory, ['catalogue', 'import', '-'], { input: broken })
    expect([code, stdout]).toEqual([65, ''])
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^line 2: .*title/),
      expect.stringMatching(/^line 3: /),
      'kiroku: 2 problems: nothing was changed',
    ])
    const asJson = await run(directory, ['catalogue', 'import', '-', '--json'], { input: broken })
    expect(asJson.code).toBe(65)
    expect(JSON.parse(asJson.stdout)).toMatchObject({ failed: true, problemsCount: 2 })
    expect(await works(directory)).toBe(0)
  })

  test('works while a server is running, which shows the new works', async () => {
    using directory = await preparedDirectory()
    await using server = await startServer(directory)
    await output(directory, ['user', 'create', 'mio', '--email', 'a@b.jp', '--password-stdin'], {
      input: 'correct horse',
    })
    const token = await output(directory, ['token', 'create', 'mio', '--description', 'x'])
    await output(directory, ['catalogue', 'import', '-'], { input: two })
    const asked = await fetch(`${server.url}/v1/works?access_token=${token.trim()}&fields=title`)
    expect(await asked.text()).toContain('一作目')
  })
})

describe('catalogue import from a URL', () => {
  const origin = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/two': () => new Response(two),
      '/once': () => Response.redirect('/two'),
      '/loop': () => Response.redirect('/loop'),
      '/file': () => new Response(null, { status: 302, headers: { location: 'file:///etc/passwd' } }),
      '/nowhere': () => new Response(null, { status: 302, headers: { location: 'http://[' } }),
      '/page': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    },
    fetch: () => new Response('none', { status: 404 }),
  })
  // Started with the tests; must not keep them from ending.
  origin.unref()

  test.each(['two', 'once'])('follows where it leads: /%s', async (path) => {
    using directory = temporaryDirectory()
    expect(await output(directory, ['catalogue', 'import', `${origin.url}${path}`])).toContain('2 created')
    expect(readdirSync(directory.file('data')).toSorted()).toEqual(made)
  })

  test.each([
    ['none', 65, 'the answer is 404'],
    ['loop', 65, 'too many redirects'],
    ['file', 65, 'only http and https'],
    ['nowhere', 65, 'no address'],
    ['page', 65, 'problem'],
  ])('refuses /%s', async (path, expected, words) => {
    using directory = await preparedDirectory()
    const { code, stderr } = await run(directory, ['catalogue', 'import', `${origin.url}${path}`])
    expect([code, stderr]).toEqual([expected, expect.stringContaining(words)])
    expect(await works(directory)).toBe(0)
  })

  test('refuses a response that ends early: 75', async () => {
    using directory = await preparedDirectory()
    const cut = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${two}`) },
    })
    const url = `http://127.0.0.1:${cut.port}/`
    const { code, stderr } = await run(directory, ['catalogue', 'import', url])
    cut.stop(true)
    expect([code, stderr]).toEqual([75, `kiroku: cannot import ${url}: the answer ended early\n`])
    expect(await works(directory)).toBe(0)
  })

  test('ends with 75 without a response, with 65 for a missing file', async () => {
    using directory = await preparedDirectory()
    const refused = await run(directory, ['catalogue', 'import', 'http://127.0.0.1:1/'])
    expect([refused.code, refused.stderr]).toEqual([
      75,
      expect.stringMatching(/^kiroku: cannot import http:.*\n$/),
    ])
    for (const name of ['nowhere.jsonl', '.', 'file:///etc/passwd', 'ftp://127.0.0.1/x']) {
      const { code, stderr } = await run(directory, ['catalogue', 'import', name])
      expect([name, code, stderr]).toEqual([name, 65, expect.stringMatching(/^kiroku: cannot read .*\n$/)])
    }
  })
})

test('the first start loads the default catalogue and says so; the second does not; --no-catalogue skips it', async () => {
  const counted = async (directory: Directory) =>
    JSON.parse(await output(directory, ['catalogue', 'status', '--json']))
  using without = await preparedDirectory()
  await using empty = await startServer(without)
  expect((await counted(without)).defaultCatalogue).toBe('none')
  await empty.end('SIGTERM')
  const first = await firstStart()
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringMatching(/catalogue_loading[\s\S]*catalogue_loaded/),
  ])
  using directory = temporaryDirectory()
  await fillWithDefaultCatalogue(directory)
  expect((await counted(directory)).defaultCatalogue).toBe('current')
  await using second = await startServer(directory, [], { catalogue: true })
  expect((await second.end('SIGTERM')).stderr).not.toContain('catalogue_load')
  expect(await output(directory, ['catalogue', 'load'])).toBe('it is loaded already\n')
}, 240_000)

describe('catalogue search', () => {
  test('prints id, title and season of the works found, best match first', async () => {
    using directory = await preparedDirectory()
    const input = lines(
      { type: 'work', key: 'annict:1', title: '二作目の二', media: 'tv', season_name: '2020-spring' },
      { type: 'work', key: 'annict:2', title: '二作目', media: 'tv' },
    )
    await output(directory, ['catalogue', 'import', '-'], { input })
    const printed = await output(directory, ['catalogue', 'search', '二', '作目'])
    expect(
      printed
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/).map((cell) => cell.trim())),
    ).toEqual([
      ['ID', 'TITLE', 'SEASON'],
      ['10000002', '二作目'],
      ['10000001', '二作目の二', '2020-spring'],
    ])
    const found = JSON.parse(await output(directory, ['catalogue', 'search', '二作目の', '--json']))
    expect(found).toEqual([{ id: 10000001, title: '二作目の二', season_name: '2020-spring' }])
    expect(await output(directory, ['catalogue', 'search', '存在しない'])).toBe('no works found\n')
  })
})
