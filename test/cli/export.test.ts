import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { databasePath } from '../../src/db/open'
import { detect } from '../../src/transfer/detect'
import { output, run } from '../support/in-process'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'

function addLibrary(directory: Directory): void {
  using database = new Database(databasePath(directory.file('data')))
  database.run(`insert into works (id, title, media, mal_anime_id, source_id)
    values (1, '庭', 'tv', '52991', 1), (2, 'どこにもない庭', 'tv', '', 1)`)
  database.run(`insert into statuses (user_id, work_id, kind, changed_at)
    values (1, 1, 'watched', 1), (1, 2, 'watching', 1), (2, 1, 'on_hold', 1)`)
}

async function rowsOf(path: string) {
  const { reader, contents } = await detect(path, 'list')
  return { source: reader.source, rows: await Array.fromAsync(reader.rows(contents)) }
}

test('kiroku user export refuses an unknown user, and a file it cannot write', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const unknown = await run(directory, ['user', 'export', 'yui', 'yui.json'])
  expect([unknown.code, unknown.stdout]).toEqual([65, ''])
  expect(existsSync(directory.file('yui.json'))).toBe(false)
  for (const path of ['none/mio.json', 'data']) {
    const { code, stderr } = await run(directory, ['user', 'export', 'mio', path])
    expect([code, stderr]).toEqual([74, expect.stringContaining(`kiroku: cannot write ${path}: `)])
  }
})

test('kiroku user export writes the same to standard output and to a file readable only by its owner', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const printed = JSON.parse(await output(directory, ['user', 'export', 'MIO']))
  expect(printed).toMatchObject({ format: 'kiroku user', profile: { username: 'mio' }, records: [] })
  expect(await output(directory, ['user', 'export', 'mio', 'mio.json'])).toBe('')
  const written = JSON.parse(readFileSync(directory.file('mio.json'), 'utf8'))
  expect({ ...written, exported_at: '' }).toEqual({ ...printed, exported_at: '' })
  expect(statSync(directory.file('mio.json')).mode & 0o777).toBe(0o600)
})

test('kiroku user export refuses an unknown format before it looks for the user: 64', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const { code, stdout, stderr } = await run(directory, ['user', 'export', 'yui', 'x', '--format', 'anidb'])
  expect([code, stdout]).toEqual([64, ''])
  expect(stderr).toContain('must be one of kiroku, mal, yamtrack, simkl, csv')
  expect(existsSync(directory.file('x'))).toBe(false)
})

test('kiroku user export writes a list, and a file of what the format cannot hold, while a server is running', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio', 'ritsu')
  addLibrary(directory)
  await using server = await startServer(directory)
  const { code, stdout, stderr } = await run(directory, [
    'user',
    'export',
    'mio',
    'mio.gz',
    '--format',
    'mal',
  ])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toBe('1 work does not fit; it is listed in mio.gz.left-out.csv\n')
  expect(await rowsOf(directory.file('mio.gz'))).toMatchObject({
    source: 'mal',
    rows: [{ sourceId: '52991' }],
  })
  expect(readFileSync(directory.file('mio.gz.left-out.csv'), 'utf8')).toContain('どこにもない庭')
  for (const name of ['mio.gz', 'mio.gz.left-out.csv'])
    expect(statSync(directory.file(name)).mode & 0o777).toBe(0o600)
  expect(await output(directory, ['user', 'export', 'ritsu', 'ritsu.gz', '--format', 'mal'])).toBe('')
  expect(existsSync(directory.file('ritsu.gz.left-out.csv'))).toBe(false)
  expect((await server.end('SIGTERM')).code).toBe(0)
})

test('kiroku user export writes each format, also to standard output', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  addLibrary(directory)
  for (const format of ['kiroku', 'yamtrack', 'simkl'] as const) {
    const printed = await run(directory, ['user', 'export', 'mio', '--format', format])
    expect([printed.code, printed.stderr]).toEqual([0, ''])
    const path = directory.file(format)
    await Bun.write(path, printed.stdout)
    expect(await rowsOf(path)).toMatchObject({
      source: format,
      rows: [{ title: '庭' }, { title: 'どこにもない庭' }],
    })
  }
  const shell = ['sh', '-c', '"$@" > mio.gz', 'sh']
  const { stderr } = await run(directory, ['user', 'export', 'mio', '--format', 'mal'], { through: shell })
  expect(stderr).toBe('1 work does not fit; with FILE, a second file lists it\n')
  expect(await rowsOf(directory.file('mio.gz'))).toMatchObject({ source: 'mal', rows: [{ title: '庭' }] })
})
