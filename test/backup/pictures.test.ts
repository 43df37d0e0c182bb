import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBackup } from '../../src/backup/create'
import { directoryDestination } from '../../src/backup/destination'
import { restoreBackup } from '../../src/backup/restore/restore'
import { makeInstance, pictures, picturesIn } from '../support/backups'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
const data = directory.file('data')
const [first = '', second = ''] = pictures
beforeAll(() => makeInstance(directory))
afterAll(() => directory[Symbol.dispose]())

test('pictures deleted or uploaded while a backup is being made are in it', async () => {
  rmSync(join(data, 'images', second))
  const destination = directoryDestination(directory.file('backups'))
  const name = 'kiroku-20260401T120000Z.tar.zst'
  const atCopy = (step: string) => {
    if (step !== 'copying the database') return
    rmSync(join(data, 'images', first))
    mkdirSync(join(data, 'images', second, '..'), { recursive: true })
    writeFileSync(join(data, 'images', second), `the bytes of ${second}`)
    writeFileSync(`${join(data, 'images', second)}.1.new`, 'half of it')
  }
  await createBackup(data, { destination, name, isNoted: false, isEncrypted: false }, Date.now, atCopy)
  await restoreBackup(directory.file('restored'), destination, name, Date.now)
  expect(picturesIn(directory.file('restored'))).toEqual(pictures)
})
