import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDestination } from '../../src/backup/open-destination'
import { databasePath } from '../../src/db/open'
import { backUp, copyOf, makeInstance, refusal } from '../support/backups'
import { output } from '../support/in-process'
import { type Directory, temporaryDirectory } from '../support/kiroku'

const model = temporaryDirectory()
let directory: Directory
beforeAll(() => makeInstance(model))
afterAll(() => model[Symbol.dispose]())
beforeEach(() => {
  directory = copyOf(model)
})
afterEach(() => directory[Symbol.dispose]())

test('verify takes a file, wherever it is, and says whether it is sound', async () => {
  mkdirSync(directory.file('usb'))
  const name = await backUp(directory, '--to', 'usb')
  for (const path of [`usb/${name}`, directory.file(`usb/${name}`), `./usb/${name}`])
    expect(await output(directory, ['backup', 'verify', path])).toBe(`ok  ${name}\n`)
  truncateSync(directory.file(`usb/${name}`), 1000)
  expect((await refusal(directory, 'backup', 'verify', `usb/${name}`))[0]).toBe(65)
  expect(existsSync(directory.file('data/backups/notes.json'))).toBe(false)
  expect((await refusal(directory, 'backup', 'verify', 'usb/nothing'))[0]).toBe(66)
})

test('what a killed backup left in another directory is removed by the next one there, and no one else’s', async () => {
  const usb = directory.file('usb')
  mkdirSync(usb)
  writeFileSync(directory.file('file'), 'whole')
  // A killed `put` of this instance, and one that another instance is still writing.
  const put = (of: string, name: string) => openDestination(of, usb).put(name, directory.file('file'))
  const partials = () => readdirSync(usb).filter((name) => name.endsWith('.partial'))
  const [own, other] = ['mine', 'other'].map((of) => join(usb, partialName(of)))
  for (const path of [own, other]) writeFileSync(path ?? '', 'half')
  await put('mine', 'y')
  expect([partials(), readFileSync(join(usb, 'y'), 'utf8')]).toEqual([[partialName('other')], 'whole'])
})

const partialName = (data: string) =>
  `.kiroku-${new Bun.CryptoHasher('sha256').update(resolve(data)).digest('hex').slice(0, 12)}.partial`

test('a backup waits while a restarted server recovers its log', async () => {
  const script = `
    const handle = new (require('bun:sqlite').Database)(${JSON.stringify(databasePath(directory.file('data')))})
    handle.run('pragma locking_mode = exclusive')
    handle.run('begin exclusive')
    console.log('held')
    setTimeout(() => process.exit(0), 700)`
  const holder = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  await holder.stdout.getReader().read()
  await backUp(directory)
  expect(await holder.exited).toBe(0)
})
