import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { seeded as seededRandom } from '../../bench/random'
import { databasePath } from '../../src/db/open'
import { header, textOf, work } from '../support/catalogue-store'
import { output, run } from '../support/in-process'
import { type Directory, output as outputOfExecutable, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

const two = textOf(header('mine'), [work('mine:1', { title: '一作目' }), work('mine:2', { title: '二作目' })])

async function checked(directory: Directory, how = '--deep') {
  const { code, stdout, stderr } = await run(directory, ['check', '--json', ...how.split(' ')])
  return { code, stderr, ...JSON.parse(stdout || '{}') }
}

/** Runs statements that kiroku itself would never run. */
function spoil(directory: Directory, ...statements: string[]) {
  using handle = new Database(databasePath(directory.file('data')))
  handle.run('pragma foreign_keys = off')
  for (const statement of statements) handle.run(statement)
}

async function seeded() {
  const directory = await preparedDirectory()
  await output(directory, ['catalogue', 'import', '-'], { input: two })
  return directory
}

test('finds nothing wrong with an intact database, even while it is served', async () => {
  using directory = await seeded()
  for (const how of [[], ['--deep'], ['--repair']])
    expect(await output(directory, ['check', ...how])).toBe('ok\n')
  await using _server = await startServer(directory)
  expect(await checked(directory)).toMatchObject({ code: 0, findings: [] })
})

const wrongs: [string, string, string][] = [
  ['counter', 'update works set episodes_count = 3', 'episodes_count 3, counting gives 0'],
  ['foreign_key', "insert into import_rows values (99, 'work', 'x', 0, 1)", 'import_rows'],
  ['search', "update works_search set grams = ''", 'is not found by its own texts'],
]
test.each(wrongs)('finds a wrong %s: %s', async (kind, sql, words) => {
  using directory = await seeded()
  spoil(directory, sql)
  const { code, ok, findings, stderr } = await checked(directory)
  expect([code, ok]).toEqual([65, false])
  expect(findings).toContainEqual(expect.objectContaining({ kind, message: expect.stringContaining(words) }))
  expect(stderr).toMatch(/^kiroku: the database is not sound: \d+ findings?; .*\n$/)
})

test('without --deep recounts nothing, and finds what is quick to find', async () => {
  using directory = await seeded()
  spoil(directory, 'update works set episodes_count = 3')
  expect(await output(directory, ['check'])).toBe('ok\n')
  spoil(directory, "insert into import_rows values (99, 'work', 'x', 0, 1)")
  const { code, stdout, stderr } = await run(directory, ['check'])
  expect([code, stdout]).toEqual([65, expect.stringMatching(/^foreign_key: import_rows .*\n$/)])
  expect(stderr).toContain('1 finding; that cannot be repaired')
})

test('D40: --repair corrects every counter and the search index, while it is served', async () => {
  using directory = await seeded()
  await using server = await startServer(directory, ['--rate-limit', 'off'])
  const create = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
  await output(directory, create, { input: 'correct horse' })
  spoil(
    directory,
    'update works set episodes_count = 3, watchers_count = 4',
    "update works_search set grams = ''",
  )
  const found = await checked(directory)
  expect(found.stderr).toContain('kiroku check --repair fixes that')
  expect(found.findings).toContainEqual({
    kind: 'counter',
    message: 'works 10000001 says watchers_count 4, counting gives 0',
    counter: { table: 'works', column: 'watchers_count', row: 10_000_001, kept: 4, counted: 0 },
  })
  const { code, ok, findings, repaired } = await checked(directory, '--repair')
  expect([code, ok, findings, repaired]).toEqual([0, true, [], found.findings])
  expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
  const token = (await output(directory, ['token', 'create', 'mio', '--description', 'x'])).trim()
  const answer = await fetch(`${server.url}/v1/works?filter_title=${encodeURIComponent('一作')}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await answer.json()).toMatchObject({
    total_count: 1,
    works: [{ episodes_count: 0, watchers_count: 0 }],
  })
})

test('--repair repairs what it can and reports the rest', async () => {
  using directory = await seeded()
  spoil(
    directory,
    'update works set episodes_count = 3',
    "insert into import_rows values (99, 'work', 'x', 0, 1)",
  )
  const { code, findings, repaired } = await checked(directory, '--repair')
  expect([code, findings.length, repaired.length]).toEqual([65, 1, 2])
  expect(findings[0].kind).toBe('foreign_key')
  const { stdout } = await run(directory, ['check', '--repair'])
  expect(stdout).toMatch(/^foreign_key: .*\n$/)
})

test('promise 4: does not mistake pages written during the check for damage', async () => {
  using directory = await seeded()
  using handle = new Database(databasePath(directory.file('data')))
  handle.run('pragma busy_timeout = 60000')
  const put = handle.query('insert or replace into instance (name, value) values (?, ?)')
  const random = seededRandom(7)
  const rewrite = handle.transaction(() => {
    for (let row = 0; row < 300; row++) put.run(`row ${random(3000)}`, 'x'.repeat(random(2000)))
  })
  let isChecked = false
  const checks = Array.from({ length: 6 }, () => outputOfExecutable(directory, ['check', '--pages']))
  const checked = Promise.all(checks).finally(() => {
    isChecked = true
  })
  while (!isChecked) {
    rewrite()
    handle.run('pragma wal_checkpoint(passive)')
    await new Promise(setImmediate)
  }
  expect(new Set(await checked)).toEqual(new Set(['ok\n']))
})

test('finds damage inside the file', async () => {
  using directory = await seeded()
  const path = databasePath(directory.file('data'))
  const handle = new Database(path, { readonly: true })
  const [table] = handle
    .query<{ rootpage: number }, []>("select rootpage from sqlite_schema where name = 'works'")
    .all()
  handle.close()
  const bytes = await Bun.file(path).bytes()
  const end = (table?.rootpage ?? 0) * 4096
  bytes.fill(0xa5, end - 4096, end)
  await Bun.write(path, bytes)
  for (const how of ['--deep', '--repair']) {
    const { code, findings, stderr } = await checked(directory, how)
    expect([code, stderr]).toEqual([65, expect.stringContaining('that cannot be repaired')])
    expect(findings[0].kind).toBe('damage')
  }
  expect((await run(directory, ['check'])).code).toBe(65)
})
