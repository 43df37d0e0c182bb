import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { allCommands } from '../../src/cli/commands'
import { run } from '../support/in-process'
import { temporaryDirectory } from '../support/kiroku'

const commands = await allCommands()

/** The arguments of each command that only reads. */
const readers = [
  'user list',
  'user export mio',
  'user export mio mio.json',
  'invite list',
  'token list mio',
  'app list',
  'feed list mio',
  'hook list mio',
  'hook test 1 request.json',
  'mapping status',
  'catalogue status',
  'catalogue search フリーレン',
  'catalogue sources',
  'catalogue corrections',
  'catalogue export',
  'catalogue export catalogue.jsonl',
  'backup create',
  'migrate status',
  'check',
  'check --deep',
  'check --repair',
]

/** Commands that write or need no database; `doctor` has its own tests. */
const others =
  /^(?:serve|setup-url|demo|doctor|healthcheck|version|help|config (?:show|validate)|completion|man|user (?!list|export).*|invite (?!list).*|token (?!list).*|app (?!list).*|feed (?!list).*|hook (?!list|test).*|mapping (?!status).*|catalogue (?:import|load|update|sources .*)|backup (?!create).*|migrate up)$/

test('the commands of this file are all that exist', () => {
  const left = commands.filter(({ name }) => !others.test(name)).map(({ name }) => name)
  for (const name of left) expect(readers.some((line) => line.startsWith(name))).toBe(true)
  for (const line of readers) expect(left.some((name) => line.startsWith(name))).toBe(true)
})

describe('D56: without a database, a command that only reads says so, creates nothing and ends with 66:', () => {
  test.each(readers)('kiroku %s', async (line) => {
    using directory = temporaryDirectory()
    const refused = {
      code: 66,
      stdout: '',
      stderr:
        'kiroku: there is no database in ./data: kiroku serve creates one, --data names another directory\n',
    }
    expect(await run(directory, line.split(' '))).toEqual(refused)
    expect(readdirSync(directory.path)).toEqual([])
    mkdirSync(directory.file('data'))
    expect(await run(directory, line.split(' '))).toEqual(refused)
    expect(readdirSync(directory.file('data'))).toEqual([])
    // What a process leaves that was killed before the first migration was complete.
    writeFileSync(directory.file('data/kiroku.db'), '')
    expect(await run(directory, line.split(' '))).toEqual(refused)
    expect(readdirSync(directory.path)).toEqual(['data'])
  })
})

test('D56: a data directory that is a file is 78, not a missing database', async () => {
  using directory = temporaryDirectory()
  writeFileSync(directory.file('data'), '')
  const { code, stderr } = await run(directory, ['user', 'list'])
  expect([code, stderr]).toEqual([78, 'kiroku: cannot use data/kiroku.db: data is not a directory\n'])
})

describe('D56: commands that write create the database:', () => {
  const writers = ['migrate up', 'setup-url', 'invite create', 'catalogue import -', 'user promote mio']
  test.each(writers)('kiroku %s', async (line) => {
    using directory = temporaryDirectory()
    await run(directory, line.split(' '), { input: '{"format":"kiroku-catalogue","version":1}\n' })
    expect(existsSync(directory.file('data/kiroku.db'))).toBe(true)
    expect((await run(directory, ['user', 'list', '--json'])).stdout).toBe('[]\n')
  })
})
