import { Database } from 'bun:sqlite'
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { databasePath } from '../../src/db/open'
import { header, textOf, work } from '../support/catalogue-store'
import { leafOf, noisePage } from '../support/damage'
import { output, run } from '../support/in-process'
import type { Body } from '../support/instance'
import { type Directory, run as runApart, startServer, temporaryDirectory } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { emptyTmpfs, fillUp, tmpfsReason } from '../support/tmpfs'

setDefaultTimeout(60_000)

const original = await preparedDirectory()
afterAll(() => original[Symbol.dispose]())
const works = Array.from({ length: 1500 }, (_, n) => work(`annict:${n + 1}`, { title: `作品${n}` }))
await output(original, ['catalogue', 'import', '-'], { input: textOf(header('annict'), works) })

function made(): Directory & { readonly main: string } {
  const directory = temporaryDirectory()
  cpSync(original.file('data'), directory.file('data'), { recursive: true })
  chmodSync(directory.file('data'), 0o700)
  return { ...directory, main: databasePath(directory.file('data')) }
}

test('a broken high-water mark is called broken, and where the database is gone no backup of it is proposed', async () => {
  using directory = made()
  const report = async () => {
    const { stdout } = await run(directory, ['doctor', '--json'])
    const { findings }: Body = JSON.parse(stdout)
    return (about: string): Body => findings.find((one: Body) => one.about === about)
  }
  writeFileSync(directory.file('data/high-water.json'), '{')
  expect((await report())('high-water mark').message).toMatch(/high-water\.json is broken: an older database/)
  rmSync(directory.file('data/high-water.json'))
  expect((await report())('high-water mark').message).toMatch(/^missing: /)
  expect((await report())('backups').remedy).toBe('kiroku backup create')
  rmSync(directory.main)
  expect((await report())('backups')).toMatchObject({ message: 'there are none', remedy: null })
})

const addUser = (directory: Directory, name: string) =>
  output(directory, ['user', 'create', name, '--email', `${name}@example.com`, '--password-stdin'], {
    input: 'correct horse',
  })

/** The findings other than `ok`, by subject. */
async function complaints(directory: Directory, ...args: string[]) {
  const { code, stdout } = await run(directory, ['doctor', '--json', ...args])
  const { findings }: Body = JSON.parse(stdout)
  const all = findings as { about: string; level: string; message: string; remedy: string | null }[]
  return {
    code,
    found: Object.fromEntries(all.filter(({ level }) => level !== 'ok').map((one) => [one.about, one])),
  }
}

const usual = ['backups', 'nightly check']

test('doctor has no complaints about an intact directory, with and without a server, and changes nothing', async () => {
  using directory = made()
  const before = readFileSync(directory.main).toBase64()
  for (const args of [[], ['--deep']]) {
    const { code, found } = await complaints(directory, ...args)
    expect([code, Object.keys(found).toSorted()]).toEqual([0, usual])
  }
  expect(readFileSync(directory.main).toBase64()).toBe(before)
  await using server = await startServer(directory)
  expect(await output(directory, ['doctor'])).toMatch(
    new RegExp(`server +one is using this directory, process ${server.pid}\\n`),
  )
  expect((await run(directory, ['doctor', '--accept-database'])).code).toBe(75)
})

test('doctor does not create a missing directory, and says so with 66', async () => {
  using directory = temporaryDirectory()
  const { code, found } = await complaints(directory)
  expect([code, found.directory?.message]).toEqual([66, './data does not exist'])
  expect(existsSync(directory.file('data'))).toBe(false)
})

test('doctor reports a file in place of the directory, and salvages into none', async () => {
  using directory = made()
  writeFileSync(directory.file('file'), '')
  const { code, found } = await complaints(directory, '--data', 'file')
  expect([code, found.directory?.message]).toEqual([78, 'file is not a directory'])
  const { code: salvaged, stderr } = await run(directory, ['doctor', '--salvage', 'file'])
  expect([salvaged, stderr]).toEqual([78, 'kiroku: file is not a directory: name a new one\n'])
})

test.skipIf(process.geteuid?.() !== 0)('doctor reports a directory that it cannot enter', async () => {
  using directory = made()
  chmodSync(directory.path, 0o755)
  const { code, stdout } = await runApart(directory, ['doctor', '--json'], { uid: 65_534 })
  const [, permissions] = (JSON.parse(stdout) as { findings: { message: string }[] }).findings
  expect([code, permissions?.message]).toEqual([78, expect.stringContaining('data cannot be entered')])
})

test('commands that doctor suggests are quoted for a shell', async () => {
  using directory = made()
  const odd = "my data's $x"
  cpSync(directory.file('data'), directory.file(odd), { recursive: true })
  chmodSync(directory.file(odd), 0o755)
  const { found } = await complaints(directory, '--data', odd)
  expect(found.permissions?.remedy).toBe("chmod 700 'my data'\\''s $x'")
  const said = await output(directory, ['doctor', '--salvage', 'saved here'])
  expect(said).toContain("kiroku check --repair --data 'saved here'\n")
  expect(said).toContain("kiroku serve --data 'saved here'. ")
})

test('doctor reports permissions, an unreadable setting, and a clock that is behind', async () => {
  using directory = made()
  chmodSync(directory.file('data'), 0o755)
  writeFileSync(directory.file('data/kiroku.toml'), 'rate-limit = "many"\n')
  const path = directory.file('data/high-water.json')
  const mark = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...mark, at: '2100-01-01T00:00:00.000Z' }))
  const { code, found } = await complaints(directory)
  expect(code).toBe(78)
  expect(found.permissions?.remedy).toStartWith('chmod 700')
  expect(found.configuration?.message).toInclude('rate-limit')
  expect(found.clock?.message).toInclude('2100-01-01')
})

test('doctor reports a file that is not a database once, and names the subject of the problem at the end', async () => {
  using directory = made()
  writeFileSync(directory.main, 'no database '.repeat(10_000))
  const { code, found } = await complaints(directory)
  expect([code, found.database, found.check?.message]).toEqual([65, undefined, 'file is not a database'])
  expect((await run(directory, ['doctor'])).stderr).toBe('kiroku: 1 problem: check\n')
})

test.skipIf(tmpfsReason !== undefined)('doctor says that a full disk is full, and continues', async () => {
  using directory = made()
  const disk = directory.file('disk')
  using _mounted = emptyTmpfs(disk, 'size=40m')
  cpSync(directory.file('data'), `${disk}/data`, { recursive: true })
  fillUp(`${disk}/filling`)
  const { code, found } = await complaints(directory, '--data', `${disk}/data`)
  expect([code, found.disk?.level, found.check?.message]).toEqual([
    74,
    'problem',
    `cannot write ${databasePath(`${disk}/data`)}: the disk is full`,
  ])
  expect([found.database, found['nightly check']?.level]).toEqual([undefined, 'note'])
})

test('promise 4: an older database is accepted once doctor is told so, and only with its own log', async () => {
  using directory = made()
  const older = directory.file('older.db')
  copyFileSync(directory.main, older)
  await addUser(directory, 'mio')
  copyFileSync(older, directory.main)
  writeFileSync(`${directory.main}-wal`, 'the log of another file')
  const { code, found } = await complaints(directory)
  expect([code, found.database?.message]).toEqual([65, expect.stringMatching(/older.*--accept-database/)])
  expect(await output(directory, ['doctor', '--accept-database'])).toMatch(
    /set .*-wal aside as .*\n(?:.*\n)*.*accepts/,
  )
  expect(await output(directory, ['user', 'list', '--json'])).toBe('[]\n')
  await addUser(directory, 'ritsu')
  copyFileSync(older, directory.main)
  expect((await run(directory, ['user', 'list'])).code).toBe(65)
})

test('an emptied database is set up again once doctor is told so', async () => {
  using directory = made()
  truncateSync(directory.main)
  expect((await run(directory, ['serve', '--port', '0'])).code).toBe(65)
  await output(directory, ['doctor', '--accept-database'])
  await output(directory, ['migrate', 'up'])
  expect(await output(directory, ['user', 'list', '--json'])).toBe('[]\n')
})

test('doctor --salvage copies all rows except those of a damaged page, and the copy passes the check', async () => {
  using directory = made()
  await addUser(directory, 'mio')
  noisePage(directory.main, leafOf(directory.main, 'works'))
  const { code, found } = await complaints(directory)
  expect([code, found.check?.remedy]).toEqual([65, expect.stringMatching(/backup restore.*--salvage/)])
  const said = await output(directory, ['doctor', '--salvage', 'saved'])
  expect(said).toMatch(/works +1[34]\d\d +some could not be read/)
  expect((await run(directory, ['doctor', '--salvage', 'saved'])).code).toBe(78)
  await run(directory, ['check', '--repair', '--data', 'saved'])
  expect(await output(directory, ['check', '--deep', '--data', 'saved'])).toBe('ok\n')
  using saved = new Database(databasePath(directory.file('saved')), { readonly: true })
  const [row] = saved.query<{ n: number }, []>('select count(*) as n from works').all()
  expect(row?.n).toBeGreaterThan(1300)
  const triggers = (path: string) => {
    using handle = new Database(path, { readonly: true })
    return handle.query("select name from sqlite_schema where type = 'trigger' order by name").values()
  }
  expect(triggers(databasePath(directory.file('saved')))).toEqual(triggers(directory.main))
  expect(await output(directory, ['user', 'list', '--data', 'saved'])).toInclude('mio')
})

test('doctor --salvage leaves out every row whose parent is lost, also of tables without rowids', async () => {
  using directory = made()
  await addUser(directory, 'mio')
  using damaged = new Database(directory.main)
  damaged.run('pragma foreign_keys = off')
  damaged.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 99999, 'watched', 0)")
  damaged.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 2, 'watched', 0)")
  damaged.run(
    "insert into activities (id, user_id, work_id, action, created_at) values (7, 1, 2, 'create_multiple_records', 0)",
  )
  damaged.run('insert into activity_records (activity_id, record_id) values (7, 99999), (8, 99998)')
  damaged.run(
    'insert into records (id, user_id, work_id, episode_id, watched_at, created_at) values (5, 1, 2, 99999, 0, 0)',
  )
  damaged.run('insert into likes (user_id, record_id, created_at) values (1, 5, 0)')
  damaged.close()
  const said = await output(directory, ['doctor', '--salvage', 'saved'])
  expect(said).toMatch(/refer to lost rows +7\n/)
  await run(directory, ['check', '--repair', '--data', 'saved'])
  expect(await output(directory, ['check', '--deep', '--data', 'saved'])).toBe('ok\n')
  using saved = new Database(databasePath(directory.file('saved')), { readonly: true })
  expect(saved.query('select work_id from statuses').values()).toEqual([[2]])
  expect(saved.query('select id from activities').values()).toEqual([])
})

test('damage found by a check also stops writes after the next start, until a check finds none', async () => {
  using directory = made()
  await addUser(directory, 'mio')
  const whole = readFileSync(directory.main)
  const mark = readFileSync(directory.file('data/high-water.json'))
  noisePage(directory.main, leafOf(directory.main, 'works'))
  expect((await run(directory, ['check', '--pages'])).code).toBe(65)
  const problems = async () => {
    await using server = await startServer(directory)
    const { problems, last_check }: Body = await (await fetch(`${server.url}/readyz`)).json()
    return [problems, last_check.outcome]
  }
  expect(await problems()).toEqual([['damaged'], 'damage'])
  for (const suffix of ['-wal', '-shm']) rmSync(directory.main + suffix, { force: true })
  writeFileSync(directory.main, whole)
  writeFileSync(directory.file('data/high-water.json'), mark)
  await output(directory, ['check', '--indexes'])
  expect(await problems()).toEqual([[], 'ok'])
})
