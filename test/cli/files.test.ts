import { expect, test } from 'bun:test'
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { header, textOf, work } from '../support/catalogue-store'
import { output, run } from '../support/in-process'
import { type Directory, spawn, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { emptyTmpfs, tmpfsReason } from '../support/tmpfs'

async function withUser(): Promise<Directory> {
  const directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  mkdirSync(directory.file('out'))
  return directory
}

const exportsOf = (path: string) => [
  ['user', 'export', 'mio', path],
  ['catalogue', 'export', path],
]

test('an export touches no other files, whatever their names', async () => {
  using directory = await withUser()
  for (const args of exportsOf('out/file')) {
    writeFileSync(directory.file('out/file.partial'), 'mine')
    writeFileSync(directory.file('out/file'), 'older')
    await output(directory, args)
    expect(readdirSync(directory.file('out')).sort()).toEqual(['file', 'file.partial'])
    expect(readFileSync(directory.file('out/file.partial'), 'utf8')).toBe('mine')
    expect(readFileSync(directory.file('out/file'), 'utf8')).toStartWith('{')
  }
})

test('an export that fails leaves nothing behind', async () => {
  using directory = await withUser()
  mkdirSync(directory.file('out/directory'))
  for (const args of exportsOf('out/directory')) {
    const { code, stderr } = await run(directory, args)
    expect([code, stderr]).toEqual([74, expect.stringMatching(/^kiroku: cannot write out\/directory: /)])
    expect(readdirSync(directory.file('out'))).toEqual(['directory'])
  }
  await run(directory, ['user', 'export', 'yui', 'out/yui.json'])
  expect(readdirSync(directory.file('out'))).toEqual(['directory'])
})

test.skipIf(tmpfsReason !== undefined)(
  'an export for which the disk has no room is 74 and leaves no file',
  async () => {
    using directory = await withUser()
    await output(directory, ['catalogue', 'import', '-'], {
      input: textOf(
        header('mine'),
        Array.from({ length: 500 }, (_, n) => work(`mine:${n}`)),
      ),
    })
    using _mounted = emptyTmpfs(directory.file('small'), 'size=16k')
    const { code, stderr } = await run(directory, ['catalogue', 'export', 'small/catalogue.jsonl'])
    expect([code, stderr]).toEqual([74, expect.stringContaining('ENOSPC')])
    expect(readdirSync(directory.file('small'))).toEqual([])
  },
)

test('an export to a link replaces its target; a pipe or a device is kept', async () => {
  using directory = await withUser()
  writeFileSync(directory.file('out/file'), 'older')
  symlinkSync('file', directory.file('out/link'))
  await output(directory, ['user', 'export', 'mio', 'out/link'])
  expect(lstatSync(directory.file('out/link')).isSymbolicLink()).toBe(true)
  expect(readFileSync(directory.file('out/file'), 'utf8')).toStartWith('{')
  Bun.spawnSync(['mkfifo', directory.file('out/pipe')])
  const reader = Bun.spawn(['cat', directory.file('out/pipe')])
  await output(directory, ['user', 'export', 'mio', 'out/pipe'])
  expect(await reader.stdout.text()).toStartWith('{')
  expect(readdirSync(directory.file('out')).sort()).toEqual(['file', 'link', 'pipe'])
})

test('what an import downloads has no name in the data directory, so a kill leaves nothing', async () => {
  using directory = await withUser()
  const begun = Promise.withResolvers<void>()
  using server = Bun.serve({
    port: 0,
    fetch: () => new Response(endless(begun.resolve)),
  })
  const child = spawn(directory, ['catalogue', 'import', `http://127.0.0.1:${server.port}/pack.jsonl`])
  await begun.promise
  child.kill('SIGKILL')
  await child.exited
  expect(readdirSync(directory.file('data')).filter((name) => name.includes('import'))).toEqual([])
  expect(readdirSync(directory.file('data')).filter((name) => name.includes('partial'))).toEqual([])
})

/** Endless lines; calls back when some of them have been read. */
function endless(onRead: () => void): ReadableStream<Uint8Array> {
  const line = new TextEncoder().encode(`${JSON.stringify(work('mine:1'))}\n`.repeat(1000))
  let pieces = 0
  return new ReadableStream({
    pull: async (controller) => {
      controller.enqueue(line)
      pieces += 1
      if (pieces > 20) onRead()
      await new Promise(setImmediate)
    },
  })
}
