import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, makeInstance, usersIn } from '../support/backups'
import { run, startServer, temporaryDirectory } from '../support/kiroku'

const text = readFileSync(join(import.meta.dir, '../../docs/backups.md'), 'utf8')
const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
)
const directory = temporaryDirectory()
const usb = directory.file('usb')

beforeAll(async () => {
  await makeInstance(directory)
  mkdirSync(usb)
  const name = await backUp(directory)
  const backups = directory.file('data/backups')
  copyFileSync(join(backups, name), join(backups, 'kiroku-20260401T120000Z.tar.zst'))
  using handle = new Database(directory.file('data/kiroku.db'))
  handle.run('vacuum into ?', [join(backups, 'before-0016_example-20260401T120000Z.db')])
})
afterAll(() => directory[Symbol.dispose]())

test('the documentation contains commands', () => {
  expect(commands.length).toBeGreaterThan(12)
})

// One after another, as a reader would run them.
test.each(commands)('docs/backups.md: %s', async (command) => {
  const words = command.replace('/mnt/usb', usb).split(' ')
  if (words[0] !== 'kiroku') return await runInShell(command)
  if (words[1] === 'serve') {
    await using server = await startServer(directory, words.slice(2))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    return
  }
  const { code, stderr } = await run(directory, words.slice(1))
  expect([code, stderr]).toEqual([0, ''])
})

async function runInShell(command: string): Promise<void> {
  // Without zstd, uses Bun's own.
  const unpacked = command.replace('zstd -dc moving.tar.zst', `${process.execPath} -e '${unpack}'`)
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', unpacked], { cwd: directory.path })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

const unpack = 'await Bun.write(Bun.stdout, Bun.zstdDecompressSync(await Bun.file("moving.tar.zst").bytes()))'

test('together they have moved the instance to another place', () => {
  expect(usersIn(directory.file('new'))).toEqual(['mio'])
  expect(existsSync(directory.file('kiroku.db'))).toBe(true)
})
