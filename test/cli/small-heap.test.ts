import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { takeSmallHeap } from '../../src/cli/run'
import { type Directory, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { until } from '../support/until'

const variable = 'BUN_JSC_forceRAMSize'

test('child processes do not get the small heap, but one that was set by hand', () => {
  const envs: NodeJS.ProcessEnv[] = [{ [variable]: '201326592', PATH: '/bin' }, { [variable]: '7' }, {}]
  for (const env of envs) takeSmallHeap(['serve'], env)
  expect(envs).toEqual([{ PATH: '/bin' }, { [variable]: '7' }, {}])
})

const isExecutable = process.env.KIROKU_TEST_EXECUTABLE !== undefined

/** The shell has the pid that the server gets. */
const through = ['sh', '-c', 'echo $$ >pid; exec "$0" "$@" <input']

async function start(directory: Directory, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(directory.file('input'), '')
  const server = await startServer(directory, ['--rate-limit', '700'], { through, env })
  const parts = (file: string) => readFileSync(`/proc/${server.pid}/${file}`, 'utf8').split('\0').slice(0, -1)
  return { server, parts }
}

/** The kinds of its sockets, pipes and the event loop's descriptors; it opens and closes files at times of its own. */
function descriptorsOf({ pid }: { readonly pid: number }): string[] {
  const folder = `/proc/${pid}/fd`
  const links = readdirSync(folder).map((fd) => linkIn(folder, fd))
  return links.flatMap((link) => /^(?:anon_inode|socket|pipe).*?(?=:\[\d|$)/.exec(link) ?? []).toSorted()
}

/** Empty if it was closed meanwhile. */
function linkIn(folder: string, fd: string): string {
  try {
    return readlinkSync(`${folder}/${fd}`)
  } catch {
    return ''
  }
}

// The sources do not restart.
describe.skipIf(!isExecutable || process.platform !== 'linux')('serve restarts with a small heap', () => {
  test('as the same process, with its arguments, standard input and descriptors, and ends on a signal', async () => {
    using directory = await preparedDirectory()
    using other = await preparedDirectory()
    const { server, parts } = await start(directory)
    await using _ = server
    expect(parts('environ')).toContain(`${variable}=201326592`)
    expect(parts('cmdline').slice(1)).toEqual([
      ...['serve', '--port', '0', '--no-catalogue', '--rate-limit', '700'],
    ])
    expect(Number(readFileSync(directory.file('pid'), 'utf8'))).toBe(server.pid)
    expect(readlinkSync(`/proc/${server.pid}/fd/0`)).toBe(directory.file('input'))
    // It must not leave any of the first start open.
    const once = await start(other, { [variable]: '201326592' })
    await using __ = once.server
    expect(descriptorsOf(server)).toContain('socket')
    await until(() => String(descriptorsOf(server)) === String(descriptorsOf(once.server)))
    expect((await server.end('SIGTERM')).code).toBe(0)
  })

  test('but not if the variable has another value', async () => {
    using directory = await preparedDirectory()
    const { server, parts } = await start(directory, { [variable]: '1000000000' })
    await using _ = server
    expect(parts('environ')).toContain(`${variable}=1000000000`)
  })
})
