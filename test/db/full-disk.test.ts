import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, rmSync, statSync } from 'node:fs'
import { ballastBytes, ballastPath } from '../../src/db/health/room'
import { exitCodes } from '../../src/lib/failure'
import { episode, header, textOf, work } from '../support/catalogue-store'
import { output } from '../support/in-process'
import { type Body, types } from '../support/instance'
import { run, startServer, temporaryDirectory } from '../support/kiroku'
import { emptyTmpfs, fillUp, tmpfsReason } from '../support/tmpfs'
import { until } from '../support/until'

const directory = temporaryDirectory()
const model = directory.file('model')
let token = ''

beforeAll(async () => {
  const onModel = ['--data', model]
  const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin', ...onModel]
  await output(directory, user, { input: 'correct horse' })
  const catalogue = textOf(header('annict'), [work('annict:1'), episode('annict:1', 'annict:1', 1)])
  await output(directory, ['catalogue', 'import', '-', ...onModel], { input: catalogue })
  const args = ['token', 'create', 'mio', '--description', 'x', '--scope', 'read write', ...onModel]
  token = (await output(directory, args)).trim()
}, 60_000)
afterAll(() => directory[Symbol.dispose]())

const headers = () => ({ authorization: `Bearer ${token}`, 'content-type': types.json })

const record = (url: string) =>
  fetch(`${url}/v1/me/records`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ episode_id: 1, comment: 'よ'.repeat(100) }),
  })

/** Writes records until told to stop, and keeps the ids of acknowledged ones. */
async function keepWriting(
  url: string,
  stopped: AbortSignal,
): Promise<{ ids: number[]; statuses: Set<number> }> {
  const [ids, statuses] = [[] as number[], new Set<number>()]
  while (!stopped.aborted) {
    const response = await record(url).catch(() => undefined)
    // The server was stopped because the test failed elsewhere.
    if (response === undefined) break
    statuses.add(response.status)
    const { id }: Body = await response.json()
    if (response.status === 200) ids.push(id)
    // The records must not fill the disk themselves before the test does.
    await Bun.sleep(response.status === 200 ? 5 : 20)
  }
  return { ids, statuses }
}

const count = (text: string, word: RegExp) => text.split('\n').filter((line) => word.test(line)).length

test.skipIf(tmpfsReason !== undefined)(
  'promise 5: on a disk that somebody fills, writes are 503 and reads continue until there is room; nothing acknowledged is lost',
  async () => {
    const disk = directory.file('disk')
    using _mounted = emptyTmpfs(disk, 'size=112m')
    const data = `${disk}/data`
    cpSync(model, data, { recursive: true })
    await using server = await startServer(directory, ['--data', data, '--rate-limit', 'off'])
    const ballast = ballastPath(data)
    await until(() => existsSync(ballast))
    const { size, blocks } = statSync(ballast)
    expect([size, blocks * 512]).toEqual([ballastBytes, ballastBytes])
    const stopped = new AbortController()
    const writing = [1, 2, 3, 4].map(() => keepWriting(server.url, stopped.signal))
    const readiness = async () => (await (await fetch(`${server.url}/readyz`)).json()) as Body

    // A log longer than the unused ends of blocks, which are free even on a full disk.
    await until(() => statSync(`${data}/kiroku.db-wal`).size > 2_000_000)
    fillUp(`${disk}/filler`)
    await until(async () => !(await record(server.url)).ok)
    // Fills the room that the ballast leaves, too.
    await until(() => !existsSync(ballast))
    fillUp(`${disk}/filler`)
    // SQLite may still find room in its log until the disk is checked, which /readyz does.
    await until(async () => (await readiness()).problems.includes('disk'))
    const refused = await record(server.url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await refused.text()).toInclude('The disk is full.')
    // Also `disk_full` if a write in the last seconds found it full.
    expect(await readiness()).toMatchObject({
      status: 'unavailable',
      problems: expect.arrayContaining(['disk']),
    })
    for (const path of ['/v1/records', '/sign_in'])
      expect((await fetch(server.url + path, { headers: headers() })).status).toBe(200)

    rmSync(`${disk}/filler`)
    await until(async () => (await record(server.url)).ok)
    await until(() => existsSync(ballast))
    await until(async () => (await readiness()).status === 'ok')
    stopped.abort()
    const wrote = await Promise.all(writing)
    expect(
      wrote.flatMap(({ statuses }) => [...statuses]).filter((status) => status !== 200 && status !== 503),
    ).toEqual([])
    const { stderr } = await server.end('SIGKILL')
    expect([count(stderr, /"storage_fault".*disk_full/), count(stderr, /"disk_has_room"/)]).toEqual([1, 1])

    await using again = await startServer(directory, ['--data', data, '--rate-limit', 'off'])
    for (const { ids } of wrote) {
      expect(ids.length).toBeGreaterThan(0)
      for (let at = 0; at < ids.length; at += 50) {
        const some = ids.slice(at, at + 50)
        const response = await fetch(`${again.url}/v1/records?per_page=50&filter_ids=${some.join(',')}`, {
          headers: headers(),
        })
        const { total_count }: Body = await response.json()
        expect(total_count).toBe(some.length)
      }
    }
    expect(await output(directory, ['check', '--deep', '--data', data])).toBe('ok\n')
  },
  60_000,
)

test.skipIf(tmpfsReason !== undefined)(
  'promise 5: commands end with 74 and one line while less than 32 MB are free, and leave nothing half-done',
  async () => {
    const disk = directory.file('narrow')
    using _mounted = emptyTmpfs(disk, 'size=34m')
    const data = `${disk}/data`
    cpSync(model, data, { recursive: true })
    fillUp(`${disk}/filler`)
    const onDisk = ['--data', data]
    const catalogue = textOf(
      header('other'),
      Array.from({ length: 200 }, (_, n) => work(`other:${n + 1}`)),
    )
    const commands: [string[], string][] = [
      [['catalogue', 'import', '-'], catalogue],
      [['demo', '--force', '--users', '20', '--records', '50'], ''],
      [['user', 'create', 'ritsu', '--email', 'ritsu@example.com', '--password-stdin'], 'correct horse'],
    ]
    for (const [args, input] of commands) {
      const { code, stderr } = await run(directory, [...args, ...onDisk], { input })
      expect([args[0], code, stderr]).toEqual([
        args[0],
        exitCodes.io,
        expect.stringMatching(/^kiroku: .*disk.*\n$/),
      ])
    }
    rmSync(`${disk}/filler`)
    expect(await output(directory, ['check', '--deep', ...onDisk])).toBe('ok\n')
    expect((await output(directory, ['user', 'list', ...onDisk])).split('\n')).toHaveLength(3)
  },
  60_000,
)
