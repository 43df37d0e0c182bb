import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { cpSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, copyOf, makeInstance, refusal } from '../support/backups'
import { type Directory, temporaryDirectory } from '../support/kiroku'
import { emptyTmpfs, tmpfsReason } from '../support/tmpfs'

const model = temporaryDirectory()
let directory: Directory
beforeAll(() => makeInstance(model))
afterAll(() => model[Symbol.dispose]())
beforeEach(() => {
  directory = copyOf(model)
  writeFileSync(directory.file('file'), 'mine')
})
afterEach(() => directory[Symbol.dispose]())

test('--to replaces no pipe, and so no device such as /dev/null', async () => {
  Bun.spawnSync(['mkfifo', directory.file('pipe')])
  expect(await refusal(directory, 'backup', 'create', '--to', 'pipe')).toEqual([
    64,
    'kiroku: --to: pipe is neither a file nor a directory',
  ])
  expect(lstatSync(directory.file('pipe')).isFIFO()).toBe(true)
  expect(readdirSync(directory.path).toSorted()).toEqual(['data', 'file', 'pipe'])
})

test.skipIf(tmpfsReason !== undefined)(
  'a read-only file system is reported as such, and no change of permissions is suggested',
  async () => {
    const disk = directory.file('disk')
    using _ = emptyTmpfs(disk, 'size=128M')
    cpSync(directory.file('data'), join(disk, 'data'), { recursive: true })
    Bun.spawnSync(['mount', '-o', 'remount,ro', disk])
    for (const place of [
      ['--to', 'disk/'],
      ['--to', 'disk/x.tar.zst'],
      ['--backup-to', 'disk/new'],
    ])
      expect<unknown>(await refusal(directory, 'backup', 'create', ...place)).toEqual([
        78,
        expect.stringMatching(/^kiroku: cannot keep backups in .*disk.*: its file system is read-only$/),
      ])
    expect(await refusal(directory, 'user', 'list', '--data', 'disk/data')).toEqual([
      78,
      'kiroku: cannot use disk/data/kiroku.db: it cannot be written: the filesystem is mounted read-only',
    ])
  },
)

test('a file in place of a directory for backups is reported with 78', async () => {
  const name = await backUp(directory)
  const refused = [78, expect.stringMatching(/cannot keep backups in .*file.*: (?:EEXIST|ENOTDIR)/)]
  for (const command of ['create', 'list', 'verify', 'prune'])
    expect<unknown>(await refusal(directory, 'backup', command, '--backup-to', 'file')).toEqual(refused)
  for (const place of ['file/', 'file/below/'])
    expect<unknown>(await refusal(directory, 'backup', 'create', '--to', place)).toEqual(refused)
  expect(await refusal(directory, 'backup', 'list', '--data', 'file')).toEqual([
    78,
    'kiroku: file is not a directory',
  ])
  expect(readdirSync(directory.file('data/backups')).toSorted()).toEqual([name, 'notes.json'])
})
