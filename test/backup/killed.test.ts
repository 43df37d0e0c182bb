import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readArchive } from '../../src/backup/archive/read-archive'
import { timeOf } from '../../src/backup/names'
import { addUser, backUp, makeInstance, pictures, picturesIn, usersIn } from '../support/backups'
import { runKilledAt, straceReason } from '../support/killed'
import { type Directory, output, run, startServer, temporaryDirectory } from '../support/kiroku'

/** With 1, a command is killed at every one of its steps. */
const stride = Number(process.env.KIROKU_TEST_STRIDE ?? 8)

const directory = temporaryDirectory()
const model = directory.file('model')
const older = 'kiroku-20260331T120000Z.tar.zst'
let name = ''

/** An instance with two backups, changed since: one more user and one picture less. */
beforeAll(async () => {
  if (straceReason !== undefined) return
  await makeInstance(directory, model)
  name = await backUp(directory, '--data', model)
  writeFileSync(join(model, 'backups', older), readFileSync(join(model, 'backups', name)))
  await addUser(directory, 'ritsu', model)
  writeFileSync(join(model, 'images', pictures[0] ?? ''), 'changed since')
})
afterAll(() => directory[Symbol.dispose]())

/** A copy of the model after each kill, until the command has no more steps. */
async function* killed(command: readonly string[], every: number): AsyncGenerator<Directory> {
  for (let step = 1; ; step += every) {
    using place = temporaryDirectory()
    cpSync(model, place.file('data'), { recursive: true })
    const { code } = await runKilledAt(place, step, command)
    if (code === 0) return expect(step).toBeGreaterThan(5)
    expect([step, code]).toEqual([step, 137])
    yield place
  }
}

const namesIn = (place: Directory) => readdirSync(place.file('data/backups'))

/** Every file named like a backup is a valid one; the instance is unchanged. */
async function expectWhole(place: Directory): Promise<void> {
  for (const name of namesIn(place).filter((name) => timeOf(name) !== undefined))
    await readArchive(place.file(`data/backups/${name}`), () => undefined)
  expect(found(place)).toEqual(before())
}

const before = () => [['mio', 'ritsu'], pictures.slice(1)]
const after = () => [['mio'], pictures]

test.skipIf(straceReason !== undefined)(
  'what is restored is on the disk before it takes the place of the data directory (promise 3)',
  async () => {
    using place = temporaryDirectory()
    cpSync(model, place.file('data'), { recursive: true })
    const trace = ['/usr/bin/strace', '-f', '-y', '-qq', '-s', '400', '-o', place.file('trace')]
    const calls = ['-e', 'trace=fsync,fdatasync,rename,renameat,renameat2']
    const { code } = await run(place, ['backup', 'restore', name], { through: [...trace, ...calls] })
    expect(code).toBe(0)
    const lines = readFileSync(place.file('trace'), 'utf8').split('\n')
    const partial = join(place.file('data'), 'restore.partial')
    const replacing = lines.findIndex((line) => /rename.*"data\/restore\.partial"/.test(line))
    expect(replacing).toBeGreaterThan(0)
    const isSynced = (path: string) =>
      lines.slice(0, replacing).some((line) => line.includes('sync(') && line.includes(`<${path}>`))
    const files = pictures.map((picture) => join(partial, 'images', picture))
    const places = [join(partial, 'kiroku.db'), ...files, ...files.map((file) => dirname(file)), partial]
    expect(places.filter((path) => !isSynced(path))).toEqual([])
  },
)

test
  .skipIf(straceReason !== undefined)
  .each([[['backup', 'create']], [['backup', 'verify']], [['backup', 'prune', '--backup-keep', '1d']]])(
  'killed anywhere %p leaves whole backups, and the next command removes the rest',
  async (command) => {
    for await (const place of killed(command, stride)) {
      await expectWhole(place)
      await output(place, ['backup', 'prune'])
      expect(namesIn(place).filter((name) => name.endsWith('.partial'))).toEqual([])
    }
  },
  60_000,
)

test.skipIf(straceReason !== undefined)(
  'a restore killed at any step leaves the old instance, or one that the next command completes',
  async () => {
    const outcomes: string[] = []
    for await (const place of killed(['backup', 'restore', name], Math.min(stride, 3)))
      outcomes.push(await outcomeIn(place, outcomes))
    for (const outcome of ['nothing done', 'a part removed', 'finished by a server', 'finished by a command'])
      expect(outcomes).toContain(outcome)
  },
  120_000,
)

async function outcomeIn(place: Directory, sofar: readonly string[]): Promise<string> {
  const names = readdirSync(place.file('data'))
  if (names.some((name) => name.startsWith('restore-')))
    return await finishedBy(place, sofar.length % 2 === 0)
  const isOld = usersIn(place.file('data')).length === 2
  expect(found(place)).toEqual(isOld ? before() : after())
  if (!names.includes('restore.partial')) return isOld ? 'nothing done' : 'all done'
  if (sofar.includes('a part removed')) return 'a part left'
  await output(place, ['backup', 'restore', name])
  expect(readdirSync(place.file('data'))).not.toContain('restore.partial')
  return 'a part removed'
}

async function finishedBy(place: Directory, isServed: boolean): Promise<string> {
  const { code, stderr } = await run(place, ['user', 'list'])
  const words = 'run kiroku serve, or kiroku backup restore without a name, to complete it'
  expect([code, stderr]).toEqual([75, `kiroku: a restore of ./data was interrupted: ${words}\n`])
  if (isServed) {
    await using server = await startServer(place)
    const { stderr } = await server.end('SIGTERM')
    expect(stderr).toContain('completed an interrupted restore')
  } else expect(await output(place, ['backup', 'restore'])).toContain('completed the interrupted restore')
  expect(found(place)).toEqual(after())
  const names = readdirSync(place.file('data'))
  expect(names.filter((name) => /^restore/.test(name))).toEqual([])
  const old = place.file(`data/${names.find((name) => name.startsWith('before-restore-'))}`)
  expect([usersIn(old), picturesIn(old)]).toEqual(before())
  return isServed ? 'finished by a server' : 'finished by a command'
}

const found = (place: Directory) => [usersIn(place.file('data')), picturesIn(place.file('data'))]
