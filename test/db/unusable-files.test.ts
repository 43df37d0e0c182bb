import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { takeLock } from '../../src/db/lock'
import { type Directory, run, temporaryDirectory } from '../support/kiroku'
import { fillData } from '../support/prepared-directory'
import { emptyTmpfs, fillUp, tmpfsReason } from '../support/tmpfs'

/** Root may do everything, so the tests use another user; anybody else runs them as themselves. */
const isRoot = process.geteuid?.() === 0
const nobody = 65534
const me = isRoot ? nobody : (process.geteuid?.() ?? 0)
const asMe = isRoot ? { uid: nobody } : {}

/** A directory owned by `me`, with a database in `data`. */
async function withDatabase(): Promise<Directory> {
  const directory = temporaryDirectory()
  await fillData(directory)
  takeLock(directory.file('data')).release()
  const made = readdirSync(directory.path, { recursive: true, encoding: 'utf8' })
  if (isRoot) for (const name of ['', ...made]) chownSync(directory.file(name), nobody, nobody)
  return directory
}

const refused = async (directory: Directory, args: string, code: number, ...words: string[]) => {
  const ended = await run(directory, args.split(' '), asMe)
  expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
  expect(ended.stderr).toMatch(/^kiroku: .*\n$/)
  for (const text of words) expect(ended.stderr).toContain(text)
  expect(ended.stderr).not.toContain('unable to open database file')
}

const serve = 'serve --port 0 --no-catalogue'

describe('promise 6: only a held lock is 75:', () => {
  test('another kiroku is running', async () => {
    using directory = await withDatabase()
    const lock = takeLock(directory.file('data'))
    await refused(directory, serve, 75, 'another kiroku is running on the data directory ./data')
    lock.release()
  })

  test('a directory that cannot be written is 78, and so is somebody else’s lock file', async () => {
    using directory = await withDatabase()
    rmSync(directory.file('data/kiroku.lock'), { force: true })
    chmodSync(directory.file('data'), 0o500)
    await refused(directory, serve, 78, 'data/kiroku.lock', 'cannot be written', `uid ${me}`, '0500')
    chmodSync(directory.file('data'), 0o700)
    writeFileSync(directory.file('data/kiroku.lock'), '')
    chmodSync(directory.file('data/kiroku.lock'), 0o400)
    if (isRoot) chownSync(directory.file('data/kiroku.lock'), 0, 0)
    await refused(directory, serve, 78, 'data/kiroku.lock', isRoot ? 'root (uid 0)' : `uid ${me}`)
  })

  test('a lock file that is not a database is 65', async () => {
    using directory = await withDatabase()
    writeFileSync(directory.file('data/kiroku.lock'), 'not a database '.repeat(1000))
    if (isRoot) chownSync(directory.file('data/kiroku.lock'), nobody, nobody)
    await refused(directory, serve, 65, 'data/kiroku.lock: it is damaged')
  })

  test.skipIf(tmpfsReason !== undefined)(
    'a disk without a free inode is 74, and nothing is left behind',
    async () => {
      using directory = temporaryDirectory()
      using _mounted = emptyTmpfs(directory.file('data'), 'size=64k,nr_inodes=2')
      writeFileSync(directory.file('data/other'), '')
      for (const command of [serve, 'setup-url']) {
        const { code, stderr } = await run(directory, command.split(' '))
        expect([code, stderr]).toEqual([74, 'kiroku: cannot write data/kiroku.lock: the disk is full\n'])
      }
      expect(readdirSync(directory.file('data'))).toEqual(['other'])
    },
  )

  test.skipIf(tmpfsReason !== undefined)('a disk without a free byte is 74', async () => {
    using directory = temporaryDirectory()
    using _mounted = emptyTmpfs(directory.file('data'), 'size=2m')
    fillUp(directory.file('data/other'))
    const { code, stderr } = await run(directory, serve.split(' '))
    expect([code, stderr]).toEqual([
      74,
      expect.stringMatching(/^kiroku: cannot write data\/kiroku\.(?:lock|db): the disk is full\n$/),
    ])
  })
})

describe('promise 2: a problem with a database file names it, before anything is done:', () => {
  const both = [serve, 'user list']

  test('one that is read-only, with its owner and the current user', async () => {
    using directory = await withDatabase()
    chmodSync(directory.file('data/kiroku.db'), 0o400)
    for (const command of both)
      await refused(directory, command, 78, 'data/kiroku.db', 'cannot be written', '0400', `(uid ${me})`)
  })

  test.skipIf(!isRoot)('one that belongs to root', async () => {
    using directory = await withDatabase()
    chownSync(directory.file('data/kiroku.db'), 0, 0)
    const why = 'it belongs to root (uid 0) with permissions 0600, and kiroku runs as nobody (uid 65534)'
    for (const command of both)
      await refused(directory, command, 78, `data/kiroku.db: it cannot be read: ${why}`)
    await refused(directory, 'check', 78, why)
    await refused(directory, 'migrate status', 78, why)
  })

  test('one whose log belongs to somebody else or is not a file', async () => {
    using directory = await withDatabase()
    rmSync(directory.file('data/kiroku.db-wal'), { force: true })
    mkdirSync(directory.file('data/kiroku.db-wal'))
    for (const command of both) await refused(directory, command, 78, 'data/kiroku.db-wal: it is a directory')
  })

  test('a directory, a dangling link, a missing directory, one that cannot be entered', async () => {
    using directory = await withDatabase()
    rmSync(directory.file('data/kiroku.db'))
    mkdirSync(directory.file('data/kiroku.db'))
    for (const command of both) await refused(directory, command, 78, 'data/kiroku.db: it is a directory')
    rmSync(directory.file('data/kiroku.db'), { recursive: true })
    symlinkSync('/nowhere/kiroku.db', directory.file('data/kiroku.db'))
    for (const command of both)
      await refused(directory, command, 78, 'a symbolic link to /nowhere/kiroku.db, which is not there')
    chmodSync(directory.file('data'), 0)
    for (const command of both)
      await refused(directory, command, 78, 'cannot be entered', '0000', `uid ${me}`)
    chmodSync(directory.file('data'), 0o700)
  })

  test('no file descriptors left', async () => {
    using directory = await withDatabase()
    const { KIROKU_TEST_EXECUTABLE: executable, PATH = '', HOME = '' } = process.env
    if (executable === undefined)
      return console.warn('without KIROKU_TEST_EXECUTABLE too many files are open')
    for (const limit of [6, 8]) {
      const command = `ulimit -n ${limit} && exec ${executable} user list`
      const child = Bun.spawn(['sh', '-c', command], {
        cwd: directory.path,
        env: { PATH, HOME },
        stderr: 'pipe',
      })
      expect([await child.exited, await child.stderr.text()]).toEqual([
        74,
        'kiroku: cannot open data/kiroku.db: too many open files\n',
      ])
    }
  })

  test('a directory that can be read but not written', async () => {
    using directory = await withDatabase()
    chmodSync(directory.file('data'), 0o500)
    for (const command of [...both, 'check', 'setup-url'])
      await refused(directory, command, 78, 'directory', 'data cannot be written', '0500')
    chmodSync(directory.file('data'), 0o700)
  })
})
