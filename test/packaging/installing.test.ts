import { afterAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { $ } from 'bun'
import { packArchive } from '../../scripts/release/archive'
import { run, startServer, temporaryDirectory } from '../support/kiroku'

const page = readFileSync('docs/installing.md', 'utf8')
const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

const blocksOf = (heading: string, kind: 'sh' | 'console') => {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  )
}

test('docs/installing.md names every file of packaging, and no others', () => {
  const named = new Set([...page.matchAll(/packaging\/([\w.-]*\w)/g)].map(([, name]) => name))
  expect([...named].sort()).toEqual(readdirSync('packaging').sort())
})

test('the archive can be checked, unpacked and installed with the commands in docs/installing.md', async () => {
  const executable = directory.file('kiroku')
  await Bun.write(executable, '#!/bin/sh\necho "$@"\n')
  chmodSync(executable, 0o755)
  const [archive = ''] = /kiroku-[\w.-]+\.tar\.gz/.exec(page) ?? []
  await packArchive({ executable, own: executable, archive: directory.file(archive) })
  await $`sha256sum ${archive} > SHA256SUMS`.cwd(directory.path)
  const root = directory.file('root')
  await $`mkdir -p ${root}/usr/local/bin`
  // Below a directory of the test instead of this machine's root.
  const script = blocksOf('The executable', 'sh').join('').replaceAll(' /usr/', ` ${root}/usr/`)
  await $`bash -c ${`set -e\nsudo() { "$@"; }\n${script}`}`.cwd(directory.path).quiet()
  const installed = [...script.matchAll(new RegExp(`${root}\\S+`, 'g'))].map(([path]) => path)
  expect(installed.length).toBeGreaterThan(4)
  expect(installed.filter((path) => !existsSync(path))).toEqual([])
})

test('the commands that docs/installing.md gives for a running server work', async () => {
  await using server = await startServer(directory)
  const [block = ''] = blocksOf('The executable', 'console')
  for (const line of block.matchAll(/^\$ kiroku (.*)\n((?:(?!\$).*\n)*)/gm)) {
    const [, words = '', shown = ''] = line
    const env = { KIROKU_PORT: String(server.port) }
    const { code, stdout } = await run(directory, words.split(' '), { env })
    expect([words, code, stdout]).toEqual([words, 0, shown === '' ? expect.any(String) : shown])
  }
})
