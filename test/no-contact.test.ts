import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ownNetwork } from '../scripts/own-network'

const root = join(import.meta.dir, '..')

async function run(words: readonly string[]) {
  const child = Bun.spawn([...words], { cwd: root, stdout: 'ignore', stderr: 'pipe' })
  const [told, code] = await Promise.all([child.stderr.text(), child.exited])
  return { told, code }
}

test('a test that tries to reach another machine fails, however it tries', async () => {
  const { told } = await run(['bun', 'test', './test/support/contacts.fixture.ts'])
  const tried = [...told.matchAll(/error: a test tried to contact (\S+) by/g)].map(([, host]) => host)
  const names = Array.from({ length: 15 }, (_, index) => `${index + 1}.example`)
  expect(tried.toSorted()).toEqual([...names, '192.0.2.7'].toSorted())
  expect(told).toContain(' 0 pass\n')
})

const network = ownNetwork()
const enters = network.length > 0

describe.skipIf(!enters)('a process started by tests', () => {
  const fetching = (url: string) => ['bun', '-e', `await fetch('${url}').catch(() => {})`]

  test('makes the suite fail by looking up a name', async () => {
    const { told, code } = await run([...network, ...fetching('http://www.example.com/')])
    expect([told, code]).toEqual(['names of other machines were looked up: www.example.com\n', 1])
  })

  test('makes the suite fail by connecting to an address', async () => {
    const { told, code } = await run([...network, ...fetching('http://192.0.2.7/')])
    expect([told, code]).toEqual(['addresses of other machines were tried 1 times\n', 1])
  })

  test('reaches this machine at both of its addresses', async () => {
    const serve = `for (const hostname of ['127.0.0.1', '::1']) {
      const server = Bun.serve({ port: 0, hostname, fetch: () => new Response() })
      await fetch(server.url)
      await server.stop()
    }`
    expect(await run([...network, 'bun', '-e', serve])).toEqual({ told: '', code: 0 })
  })

  test("ends with the command's exit code", async () => {
    expect(await run([...network, 'sh', '-c', 'exit 7'])).toEqual({ told: '', code: 7 })
  })
})
