import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { directoryDestination } from '../../src/backup/destination'
import { lastBackup } from '../../src/backup/last-backup'
import { listBackups } from '../../src/backup/list'
import { backupName } from '../../src/backup/names'
import { changeNotes, noteFailure, readNotes } from '../../src/backup/notes'
import { takeBackupLock } from '../../src/db/lock'
import { type Body, createInstance, type Instance, start } from '../support/instance'
import { temporaryDirectory } from '../support/kiroku'
import { createMember } from '../support/visitor'

const hour = 3_600_000
const directory = temporaryDirectory()
const none = { madeAt: undefined, verifiedAt: undefined, bytes: undefined, failed: undefined }
let data = ''
beforeEach(() => {
  data = directory.file('data')
  mkdirSync(join(data, 'backups'), { recursive: true })
})
afterEach(() => rmSync(data, { recursive: true }))

function keep(at: number, bytes = 3, place = join(data, 'backups')): string {
  writeFileSync(join(place, backupName(at)), 'x'.repeat(bytes))
  return backupName(at)
}

const note = (to: string, verified_at: number | null) => ({
  to,
  bytes: 3,
  kiroku_version: '0.1.0',
  verified_at,
})

test('without a directory, backups and notes, nothing is known', () => {
  expect(lastBackup(directory.file('nowhere'), start)).toEqual(none)
  writeFileSync(join(data, 'backups/notes.json'), 'torn')
  keep(start, 0)
  rmSync(join(data, 'backups', backupName(start)))
  expect(lastBackup(data, start)).toEqual(none)
})

test('the newest file counts, with its notes', () => {
  keep(start - hour)
  const name = keep(start, 5)
  expect(lastBackup(data, start)).toEqual({ ...none, madeAt: start, bytes: 5 })
  changeNotes(data, (notes) => ({ ...notes, backups: { [name]: note(join(data, 'backups'), start + 1) } }))
  expect(lastBackup(data, start)).toMatchObject({ madeAt: start, verifiedAt: start + 1 })
  rmSync(join(data, 'backups', name))
  expect(lastBackup(data, start)).toMatchObject({ madeAt: start - hour, verifiedAt: undefined })
})

test('one dated in the future, from before the clock was set back, counts if there is no other', () => {
  keep(start + hour, 7)
  expect(lastBackup(data, start)).toMatchObject({ madeAt: start + hour, bytes: 7 })
  keep(start - hour, 5)
  expect(lastBackup(data, start)).toMatchObject({ madeAt: start - hour, bytes: 5 })
})

test('a backup stored elsewhere is known from its note', () => {
  changeNotes(data, (notes) => ({ ...notes, backups: { [backupName(start)]: note('s3://bucket', start) } }))
  expect(lastBackup(data, start)).toMatchObject({ madeAt: start, verifiedAt: start, bytes: 3 })
})

test('a failure is known until a backup is made; nothing is noted while another one is running', () => {
  const lock = takeBackupLock(data)
  noteFailure(data, 'no room', start)
  expect(lastBackup(data, start).failed).toBeUndefined()
  lock.release()
  noteFailure(data, 'no room', start)
  expect(lastBackup(data, start).failed).toEqual({ at: start, why: 'no room' })
})

test('a thousand backups are listed, and notes are kept for the newest 2,000', async () => {
  for (let n = 0; n < 1000; n++) keep(start - n * hour)
  const listed = await listBackups(data, directoryDestination(join(data, 'backups')))
  expect([listed.length, listed[0]?.made_at, listed[999]?.made_at]).toEqual([1000, start, start - 999 * hour])
  const many = Object.fromEntries(
    Array.from({ length: 2500 }, (_, n) => [backupName(start - n * hour), note('s3://bucket', null)]),
  )
  changeNotes(data, (notes) => ({ ...notes, backups: many }))
  const names = Object.keys(readNotes(data).backups)
  expect([
    names.length,
    names.includes(backupName(start)),
    names.includes(backupName(start - 2000 * hour)),
  ]).toEqual([...[2000, true, false]])
  expect(readFileSync(join(data, 'backups/notes.json')).length).toBeLessThan(400_000)
})

async function readiness(kiroku: Instance) {
  const response = await kiroku.ask('/readyz')
  const { warnings, last_backup_at, last_backup_verified_at }: Body = await response.json()
  return [response.status, warnings, last_backup_at, last_backup_verified_at]
}

test('/readyz reports the last backup, and warns if it failed or is older than two periods', async () => {
  const kiroku = await createInstance({ config: { backupEvery: 24 * hour } })
  data = kiroku.deps.config.data
  mkdirSync(join(data, 'backups'))
  expect(await readiness(kiroku)).toEqual([200, [], null, null])
  const name = keep(start - 48 * hour)
  const made = new Date(start - 48 * hour).toISOString()
  expect(await readiness(kiroku)).toEqual([200, [], made, null])
  kiroku.clock.now += 1
  expect(await readiness(kiroku)).toEqual([200, ['backup'], made, null])
  const verified = note(join(data, 'backups'), start)
  changeNotes(data, (notes) => ({ ...notes, backups: { [name]: verified, [keep(start)]: verified } }))
  const [now, at] = [new Date(start).toISOString(), new Date(start).toISOString()]
  expect(await readiness(kiroku)).toEqual([200, [], now, at])
  noteFailure(data, 'no room', start)
  expect(await readiness(kiroku)).toEqual([200, ['backup'], now, at])
  await kiroku.close()
  mkdirSync(data)
})

test.each([
  ['en', ['None yet', 'Last verified', 'The last attempt failed']],
  ['ja', ['まだありません', 'その最終検証', '前回の作成に失敗しました']],
])('an administrator sees it, in %s', async (language, words) => {
  const kiroku = await createInstance({ config: { backupEvery: 24 * hour } })
  data = kiroku.deps.config.data
  mkdirSync(join(data, 'backups'))
  kiroku.store.handle.run("update users set is_admin = 1 where username = 'mio'")
  const mio = await createMember(kiroku, 'mio', { language })
  const shown = async () => {
    const { text } = await mio.open('/admin')
    return words.map((word) => text.includes(word))
  }
  expect(await shown()).toEqual([true, false, false])
  const name = keep(start)
  changeNotes(data, (notes) => ({ ...notes, backups: { [name]: note(join(data, 'backups'), start) } }))
  expect(await shown()).toEqual([false, true, false])
  noteFailure(data, 'no room', start)
  expect(await shown()).toEqual([false, true, true])
  await kiroku.close()
  mkdirSync(data)
})

test('without a schedule, an old backup is no reason for a warning', async () => {
  const kiroku = await createInstance({ config: { backupEvery: null } })
  data = kiroku.deps.config.data
  mkdirSync(join(data, 'backups'))
  keep(start - 1000 * hour)
  expect((await readiness(kiroku))[1]).toEqual([])
  await kiroku.close()
  mkdirSync(data)
})
