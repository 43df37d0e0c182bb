import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, backupsIn, makeInstance, refusal, usersIn } from '../support/backups'
import { output } from '../support/in-process'
import { temporaryDirectory } from '../support/kiroku'
import { emptyTmpfs, tmpfsReason } from '../support/tmpfs'

const directory = temporaryDirectory()
const model = directory.file('model')
const disk = directory.file('disk')
const data = join(disk, 'data')
let mounted: Disposable | undefined
let name = ''

/** A disk of 120 MB with an instance and a backup. */
beforeAll(async () => {
  if (tmpfsReason !== undefined) return
  await makeInstance(directory, model)
  mounted = emptyTmpfs(disk, 'size=120m')
  cpSync(model, data, { recursive: true })
  name = await backUp(directory, '--data', data)
})
afterAll(() => {
  mounted?.[Symbol.dispose]()
  directory[Symbol.dispose]()
})

const freeMegabytes = () => {
  const { bavail, bsize } = statfsSync(disk)
  return (bavail * bsize) / 1e6
}

/** Leaves this many megabytes free. */
function fill(left: number): void {
  const file = join(disk, 'filling')
  rmSync(file, { force: true })
  writeFileSync(file, new Uint8Array((freeMegabytes() - left) * 1e6))
}

const noRoom = (place: string) =>
  [74, expect.stringContaining(`not enough space in ${place}`)] as [number, string]

test.skipIf(tmpfsReason !== undefined)(
  'without room nothing is created, verified or restored, and nothing is left behind',
  async () => {
    fill(66)
    expect(await refusal(directory, 'backup', 'create', '--data', data)).toEqual(
      noRoom(join(data, 'backups/work.partial')),
    )
    expect(await refusal(directory, 'backup', 'verify', '--data', data)).toEqual(
      noRoom(join(data, 'backups/work.partial')),
    )
    const restore = await refusal(directory, 'backup', 'restore', name, '--data', data)
    expect(restore).toEqual([74, expect.stringContaining(`${name} is not restored: not enough space in`)])
    expect([backupsIn(data), usersIn(data)]).toEqual([[name], ['mio']])
    expect(freeMegabytes()).toBeGreaterThan(65)
  },
)

test.skipIf(tmpfsReason !== undefined)('the failure is remembered until a backup is made', async () => {
  const notes = () => Bun.file(join(data, 'backups/notes.json')).json()
  fill(66)
  await refusal(directory, 'backup', 'create', '--data', data)
  expect((await notes()).failed.why).toContain('not enough space')
  fill(100)
  await output(directory, ['backup', 'create', '--data', data])
  expect(await notes()).not.toHaveProperty('failed')
})

test.skipIf(tmpfsReason !== undefined)(
  'pictures that cannot be shrunk never use the last 64 MB',
  async () => {
    const picture = join(data, `images/ab/${'ef'.repeat(16)}-320.webp`)
    fill(110)
    writeFileSync(picture, crypto.getRandomValues(new Uint8Array(65_536)))
    const random = Buffer.concat(
      Array.from({ length: 100 }, () => crypto.getRandomValues(new Uint8Array(65_536))),
    )
    for (let n = 0; n < 4; n++) writeFileSync(`${picture.slice(0, -9)}-${n}.webp`, random)
    fill(75)
    expect(await refusal(directory, 'backup', 'create', '--data', data)).toEqual(
      noRoom(join(data, 'backups/work.partial')),
    )
    expect(freeMegabytes()).toBeGreaterThan(74)
  },
)

test.skipIf(tmpfsReason !== undefined)('another disk without room does not matter', async () => {
  fill(66)
  const [code, line] = await refusal(directory, 'backup', 'create', '--data', model, '--to', disk)
  expect([code, line]).toEqual(noRoom(disk))
})
