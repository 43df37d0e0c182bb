import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withWorkPlace } from '../../src/backup/work-place'
import { removePartialSnapshots } from '../../src/db/snapshot'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
const data = directory.file('data')
const backups = join(data, 'backups')
afterAll(() => directory[Symbol.dispose]())

test('leftovers of killed runs are removed, except for copies before an upgrade, which use another lock', async () => {
  mkdirSync(join(backups, 'work.partial/images'), { recursive: true })
  const copy = 'before-0001_x-20260401T120000Z.db.partial'
  const left = ['kiroku-20260401T120000Z.tar.zst.partial', 'notes.json.partial']
  for (const name of [...left, copy, 'kiroku-20260401T120000Z.tar.zst'])
    writeFileSync(join(backups, name), '')
  const seen = await withWorkPlace(data, async (work) => readdirSync(work))
  expect(seen).toEqual([])
  expect(readdirSync(backups).sort()).toEqual([copy, 'kiroku-20260401T120000Z.tar.zst'])
})

test('an upgrade during a backup removes only its own leftovers', async () => {
  const left = await withWorkPlace(data, async (work) => {
    writeFileSync(join(backups, 'kiroku-20260402T120000Z.tar.zst.partial'), '')
    removePartialSnapshots(data)
    return [existsSync(work), ...readdirSync(backups).filter((name) => name.endsWith('.zst.partial'))]
  })
  expect(left).toEqual([true, 'kiroku-20260402T120000Z.tar.zst.partial'])
})

test('there is one at a time, and none is left after a failure', async () => {
  const failing = withWorkPlace(data, async () => {
    await expect(withWorkPlace(data, async () => {})).rejects.toMatchObject({ kind: 'busy' })
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(existsSync(join(backups, 'work.partial'))).toBe(false)
  await withWorkPlace(data, async () => {})
})

test('with patience, the next one begins when the first has ended, and is told once that it is waiting', async () => {
  const [began, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const steps: string[] = []
  const first = withWorkPlace(data, async () => {
    began.resolve()
    await waits.promise
    steps.push('first')
  })
  await began.promise
  const onWait = () => {
    steps.push('waits')
    setTimeout(waits.resolve, 120)
  }
  await withWorkPlace(data, async () => steps.push('second'), { ms: 60_000, onWait })
  await first
  expect(steps).toEqual(['waits', 'first', 'second'])
})
