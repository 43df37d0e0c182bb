import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { exitCodes, exitMeanings } from '../src/lib/failure'
import { secretPattern } from '../src/lib/secret'
import { hundredWorks } from './support/catalogue-store'
import { fillWithDefaultCatalogue } from './support/default-catalogue'
import { output, startServer, temporaryDirectory } from './support/kiroku'
import { withUsers } from './support/made-users'
import { optionsMarkdown } from './support/options-markdown'

const readme = readFileSync(join(import.meta.dir, '../README.md'), 'utf8')
const directory = temporaryDirectory()
const program = process.env.KIROKU_TEST_EXECUTABLE ?? `bun ${join(import.meta.dir, '../src/main.ts')}`

/** Every command of the README's console blocks, with the output shown below it. */
const commands = [...readme.matchAll(/```console\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((text) => text.split('\n'))
  .map(([command = '', ...shown]) => ({ command, shown: shown.join('\n').trim() }))

const backup = [
  'kiroku backup create',
  'kiroku backup list',
  'kiroku backup restore kiroku-20260401T120000Z.tar.zst',
]

let server: Bun.Subprocess<'ignore', 'pipe', 'ignore'>
let address = ''

beforeAll(async () => {
  await Bun.write(directory.file('bin/kiroku'), `#!/bin/sh\nexec ${program} "$@"\n`)
  chmodSync(directory.file('bin/kiroku'), 0o755)
  await Bun.write(directory.file('my-pack.jsonl.zst'), Bun.zstdCompressSync(pack))
  // What the demo command begins with: loading the default catalogue a second time takes 3 s.
  await output(directory, ['catalogue', 'import', '-', '--data', 'demo'], { input: hundredWorks() })
  await fillWithDefaultCatalogue(directory)
  server = Bun.spawn(['kiroku', '--port', '0', '--backup-every', 'off'], {
    ...surroundings(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  for await (const chunk of server.stdout) {
    address = /listening on (\S+)/.exec(new TextDecoder().decode(chunk))?.[1] ?? address
    if (address !== '') break
  }
}, 300_000)

afterAll(async () => {
  server.kill()
  await server.exited
  directory[Symbol.dispose]()
})

const pack =
  '{"type":"catalogue","version":1,"name":"my-pack","mode":"upsert"}\n{"type":"series","key":"my:1","name":"極光"}\n'

const surroundings = () => ({
  cwd: directory.path,
  env: { PATH: `${directory.file('bin')}:${process.env.PATH}`, HOME: directory.path },
})

test('the README contains commands', () => {
  expect(commands.length).toBeGreaterThan(4)
})

test.each(commands)('the README’s command works: $command', async ({ command, shown }) => {
  const asked = command.replaceAll('http://127.0.0.1:3000', address)
  const child = Bun.spawn(['bash', '-c', asked], { ...surroundings(), stdout: 'pipe', stderr: 'pipe' })
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  if (shown !== '') expect(stdout.trim()).toBe(shown)
})

test('every other command in the README is a project script or one of the two that start from npm', () => {
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
  const scripts = blocks.flatMap((line) => /bun(?:@[\d.]+)? run (\w+)/.exec(line)?.[1] ?? [])
  for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script)
  const others = blocks.filter((line) => !/bun(?:@[\d.]+)? run \w+/.test(line))
  expect(others).toEqual(['kiroku serve --port 0 --data "$(mktemp -d)" --rate-limit off', ...backup])
  expect(blocks[0]).toStartWith(`npx -y ${manifest.packageManager} run start`)
})

test('a backup is made, listed and restored by the README’s commands', async () => {
  const [create, list, restore = ''] = backup
  using small = temporaryDirectory()
  await withUsers(small, 'mio')
  await using running = await startServer(small)
  const at = { ...surroundings(), cwd: small.path }
  const made = Bun.spawn(['bash', '-c', `${create} && ${list}`], { ...at, stdout: 'pipe' })
  const [name = ''] = /kiroku-\w+Z\.tar\.zst/.exec(await made.stdout.text()) ?? []
  expect(await made.exited).toBe(0)
  await running.end('SIGTERM')
  const steps = `rm data/kiroku.db* && ${restore.replace(/kiroku-\S+/, name)} && kiroku check && kiroku user list`
  const child = Bun.spawn(['bash', '-c', steps], { ...at, stdout: 'pipe', stderr: 'pipe' })
  expect(await child.stdout.text()).toMatch(/^[\s\S]*ok\n[\s\S]*mio/)
  expect(await child.exited).toBe(0)
}, 60_000)

test('the README lists the options correctly', () => {
  const [, listed] = readme.split(/<!-- \/?options -->\n/)
  expect(listed).toBe(optionsMarkdown())
})

test('ST-05: the README tells secret scanners what every secret looks like', () => {
  expect(readme).toContain(`\`${secretPattern.source}\``)
})

test('the README explains exit codes like the manual', () => {
  const told = Object.entries(exitMeanings).map(
    ([kind, meaning]) => `${Reflect.get(exitCodes, kind)} ${meaning}`,
  )
  expect(readme.replaceAll(/\n */g, ' ')).toContain(`Exit codes: ${told.join(', ')}.`)
})
