import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { databasePath, openStore, prepareDirectory } from '../../src/db/open'
import { openCopy } from '../support/database-copy'
import { output, run } from '../support/in-process'
import type { Body } from '../support/instance'
import { startServer, temporaryDirectory } from '../support/kiroku'
import { seedCatalogue } from '../support/seed'

const directory = temporaryDirectory()
const data = directory.file('data')
prepareDirectory(data)
await (await openStore(data, await openCopy(data, seedCatalogue))).close()
afterAll(() => directory[Symbol.dispose]())

const file = (name: string, text: string) => {
  writeFileSync(directory.file(name), text)
  return directory.file(name)
}
const whole = file(
  'whole.csv',
  'work_id,title,status,episode\n1,星降る庭,watching,1\n2,ガラスの汽車,wanna_watch,\n',
)
const withRest = file('rest.csv', 'title,year,status\n星降る庭,2021,watched\n知らない作品,1999,watched\n')
const shared = file(
  'shared.tsv',
  ['mio', 'ritsu']
    .map((user) => `2024-02-01 21:00:00.0\t${user}\t1\tEpisode\t星降る庭 - s01e01 - x\tp\tc\td\t1420\n`)
    .join(''),
)
const unscaled = file('unscaled.csv', 'work_id,title,rating\n1,星降る庭,3\n')

const counts = () => {
  using database = new Database(databasePath(data), { readonly: true })
  const count = (table: string) => database.query(`select count(*) from ${table}`).values()[0]?.[0]
  return { records: count('records'), statuses: count('statuses'), activities: count('activities') }
}
const imports = async (): Promise<Body[]> =>
  JSON.parse(await output(directory, ['user', 'imports', 'mio', '--json']))

test('a dry run says what would be added, and leaves nothing', async () => {
  const before = counts()
  const text = await output(directory, ['user', 'import', 'mio', whole, '--dry-run'])
  expect(text).toBe('whole.csv: a list of csv\nrows: 2 new\nwould add: 1 record, 2 statuses, 0 reviews\n')
  expect(counts()).toEqual(before)
  expect(await imports()).toEqual([])
})

test('a list is applied without an activity, listed, applied again without effect, and undone', async () => {
  const before = counts()
  expect(await output(directory, ['user', 'import', 'mio', whole])).toContain(
    'added: 1 record, 2 statuses, 0 reviews\n',
  )
  const after = { ...before, records: Number(before.records) + 1, statuses: Number(before.statuses) + 2 }
  expect(counts()).toEqual(after)
  expect(await output(directory, ['user', 'import', 'mio', whole])).toContain('rows: 2 unchanged\n')
  expect(counts()).toEqual(after)
  const [, first] = await imports()
  expect(first).toMatchObject({ source: 'csv', file_name: 'whole.csv', state: 'applied' })
  expect(await output(directory, ['user', 'imports', 'mio'])).toMatch(/^id +date .*\n\d+ .* 2 unchanged\n/)
  expect(await output(directory, ['user', 'undo-import', 'mio', String(first.id)])).toBe(
    `undid the import ${first.id}\n`,
  )
  expect(counts()).toEqual(before)
  expect(await output(directory, ['user', 'undo-import', 'mio', String(first.id)])).toContain('undid')
})

test('rows left over cause exit code 3, together with the report', async () => {
  const { code, stdout, stderr } = await run(directory, ['user', 'import', 'mio', withRest, '--json'])
  expect([code, stderr]).toEqual([3, 'kiroku: 1 row was not imported\n'])
  expect(JSON.parse(stdout)).toMatchObject({ state: 'applied', counts: { new: 1, not_found: 1 } })
})

test('it works while a server is running, which sees the result at once', async () => {
  const token = (
    await output(directory, ['token', 'create', 'mio', '--description', 'shell', '--scope', 'read write'])
  ).trim()
  await using server = await startServer(directory)
  const read = async () =>
    (await (
      await fetch(`${server.url}/v1/me/imports`, { headers: { authorization: `Bearer ${token}` } })
    ).json()) as Body
  const { total_count } = await read()
  await output(directory, ['user', 'import', 'mio', whole, '--conflict', 'file', '--time-zone', 'UTC'])
  expect((await read()).imports[0]).toMatchObject({ conflict: 'file', time_zone: 'UTC', state: 'applied' })
  expect((await read()).total_count).toBe(total_count + 1)
})

test('standard input can be imported too, and no copy of it stays', async () => {
  const input = readFileSync(whole)
  expect(await output(directory, ['user', 'import', 'mio', '-'], { input })).toContain(
    'standard input: a list of csv',
  )
  expect(readdirSync(data).filter((name) => name.startsWith('import'))).toEqual([])
})

test.each<[string, string[], number, RegExp]>([
  [
    'a file that is not there',
    ['mio', '/nowhere/list.csv'],
    66,
    /^kiroku: cannot read \/nowhere\/list\.csv: /,
  ],
  ['a directory', ['mio', data], 66, /: it is a directory\n$/],
  ['an unreadable file', ['mio', file('odd.bin', '\0\0\0')], 65, /^kiroku: unrecognised: /],
  ['a cut-off one', ['mio', file('cut.json', '{"data": {"Medi')], 65, /^kiroku: (?:truncated|broken): /],
  ['nobody', ['nobody', whole], 65, /^kiroku: there is no user called "nobody"/],
  ['an unknown scale', ['mio', unscaled], 64, /: say it with --score-format\n$/],
  ['a list of several people', ['mio', shared], 64, /: say which one is meant with --user \(mio, ritsu\)\n$/],
  ['an unknown one of them', ['mio', shared, '--user', 'azusa'], 65, /user must be one of those in the file/],
  ['an unknown source', ['mio', whole, '--source', 'myspace'], 64, /source must be one of mal, /],
  ['an unknown zone', ['mio', whole, '--time-zone', 'Mars'], 64, /time-zone must be the IANA name/],
])('%s is refused, and nothing is kept', async (_, words, expected, message) => {
  const before = [counts(), (await imports()).length]
  const { code, stderr } = await run(directory, ['user', 'import', ...words])
  expect([code, stderr]).toEqual([expected, expect.stringMatching(message)])
  expect([counts(), (await imports()).length]).toEqual(before)
})

test.each(['0', 'x', '999999'])('no import is called %s', async (id) => {
  const { code, stderr } = await run(directory, ['user', 'undo-import', 'mio', id])
  expect([code, stderr]).toEqual([id === '999999' ? 65 : 64, expect.any(String)])
})
