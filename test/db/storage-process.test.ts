import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { listen, stop } from '../../src/cli/server/server'
import { databasePath, openStore } from '../../src/db/open'
import { storageFault } from '../../src/db/storage-fault'
import { exitCodes } from '../../src/lib/failure'
import { episode, header, textOf, work } from '../support/catalogue-store'
import { openCopy } from '../support/database-copy'
import { type Body, types } from '../support/instance'
import { output, run, spawn, startServer, temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
const model = directory.file('model')
let token = ''

beforeAll(async () => {
  const onModel = ['--data', model]
  for (const name of ['mio', 'ritsu']) {
    const args = ['user', 'create', name, '--email', `${name}@example.com`, '--password-stdin']
    await output(directory, [...args, ...onModel], { input: 'correct horse' })
  }
  const catalogue = textOf(header('annict'), [work('annict:1'), episode('annict:1', 'annict:1', 1)])
  await output(directory, ['catalogue', 'import', '-', ...onModel], { input: catalogue })
  const args = ['token', 'create', 'mio', '--description', 'test', '--scope', 'read write', ...onModel]
  token = (await output(directory, args)).trim()
}, 60_000)
afterAll(() => directory[Symbol.dispose]())

/** A data directory with the users `mio` and `ritsu`. */
function copyOf(to: string): string {
  cpSync(model, to, { recursive: true })
  return to
}

const follow = (url: string, method = 'POST') =>
  fetch(`${url}/v1/me/follows?username=ritsu`, { method, headers: { authorization: `Bearer ${token}` } })

/** Takes 30 KB of the disk for good. */
const record = (url: string) =>
  fetch(`${url}/v1/me/records`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': types.json },
    body: JSON.stringify({ episode_id: 1, comment: 'よ'.repeat(10_000) }),
  })

async function readiness(url: string): Promise<{ status: number; problems: string[] }> {
  const response = await fetch(`${url}/readyz`)
  const { problems }: Body = await response.json()
  return { status: response.status, problems }
}

/** Lets no file grow beyond so many blocks of 512 bytes; a write beyond that is an error, not a signal. */
const withFilesUpTo = (blocks: number) => ({
  through: ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`],
})

test('promise 10: while the log cannot grow, writes are 503 and /readyz is, too', async () => {
  const data = copyOf(directory.file('limited'))
  const limits = withFilesUpTo(1000)
  await using server = await startServer(directory, ['--data', data, '--rate-limit', 'off'], limits)
  let refused = await follow(server.url)
  for (let turn = 0; refused.ok && turn < 2000; turn++)
    refused = await follow(server.url, turn % 2 === 0 ? 'DELETE' : 'POST')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  for (let turn = 0; turn < 3; turn++) {
    expect((await follow(server.url)).status).toBe(503)
    expect(await readiness(server.url)).toEqual({ status: 503, problems: ['io_error'] })
  }
  const { stderr } = await server.end('SIGTERM')
  expect(stderr.match(/storage_fault/g)).toHaveLength(1)
  expect(stderr).not.toMatch(/"fault"|SQLiteError:/)
}, 60_000)

test('a command that finds no room ends with 74 and one line', async () => {
  const data = copyOf(directory.file('narrow'))
  const { code, stderr } = await run(
    directory,
    ['demo', '--data', data, '--force', '--users', '5000', '--records', '0'],
    withFilesUpTo(1500),
  )
  expect([code, stderr.trim().split('\n').length, stderr]).toEqual([exitCodes.io, 1, stderr])
  expect(stderr).toInclude('the disk reports an error')
}, 60_000)

/** Mounts a small disk of its own, where this machine lets us. */
function mountSmall(megabytes: number): { readonly path: string } & Disposable {
  const path = directory.file('small')
  mkdirSync(path)
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]
  const { exitCode, stderr } = Bun.spawnSync(['mount', ...options])
  if (exitCode !== 0) throw new Error(stderr.toString().trim())
  return { path, [Symbol.dispose]: () => void Bun.spawnSync(['umount', '-l', path]) }
}

/** Why no disk can be mounted here; undefined where one can. */
function mountProblem(): string | undefined {
  try {
    mountSmall(1)[Symbol.dispose]()
    return undefined
  } catch (cause) {
    return String(cause)
  } finally {
    rmSync(directory.file('small'), { recursive: true, force: true })
  }
}

const noMount = mountProblem()
if (noMount !== undefined) console.log(`skipped, since no disk can be mounted: ${noMount}`)

test.skipIf(noMount !== undefined)(
  'promise 5: on a full disk writes are 503, reads go on, and room is all it takes to write again',
  async () => {
    using disk = mountSmall(8)
    const data = copyOf(`${disk.path}/data`)
    await using server = await startServer(directory, ['--data', data, '--rate-limit', 'off'])
    let turn = 0
    const write = () => follow(server.url, turn++ % 2 === 0 ? 'POST' : 'DELETE')
    let refusals = 0
    // The log would be longer than the disk is large: it is emptied in time.
    while (turn < 800) refusals += (await write()).ok ? 0 : 1
    expect(refusals).toBeLessThan(20)
    for (let inTurn = 0; inTurn < 3; inTurn = (await record(server.url)).ok ? 0 : inTurn + 1) {
      const { bavail, bsize } = statfsSync(disk.path)
      appendFileSync(`${disk.path}/filler`, new Uint8Array(bavail * bsize))
    }
    expect(await readiness(server.url)).toEqual({ status: 503, problems: ['disk_full', 'disk'] })
    const refused = await record(server.url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    const read = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(read.status).toBe(200)
    rmSync(`${disk.path}/filler`)
    while ((await readiness(server.url)).problems.includes('disk_full')) await Bun.sleep(50)
    expect((await record(server.url)).status).toBe(200)
  },
  120_000,
)

test('promise 10: an idle server notices by itself that its database was moved, and logs what to do', async () => {
  const data = copyOf(directory.file('renamed'))
  await using child = spawn(directory, ['serve', '--port', '0', '--no-catalogue', '--data', data])
  const reader = child.stdout.getReader()
  await reader.read()
  renameSync(data, `${data}2`)
  let heard = ''
  for await (const chunk of child.stderr) {
    heard += new TextDecoder().decode(chunk)
    if (heard.includes('\n') && heard.includes('storage_fault')) break
  }
  const line = heard.split('\n').find((text) => text.includes('storage_fault')) ?? ''
  expect(JSON.parse(line)).toMatchObject({ event: 'storage_fault', problem: 'moved' })
  expect(line).toMatch(/put the database.*back/)
}, 30_000)

test('promise 7: whoever waits for another process is answered before the server ends, and it ends in time', async () => {
  const data = directory.file('held')
  mkdirSync(data)
  const handle = await openCopy(data)
  const store = openStore(data, handle)
  const other = new Database(databasePath(data))
  other.run('begin immediate')
  const asked = Promise.withResolvers<void>()
  const server = listen({ host: '127.0.0.1', port: 0 }, async () => {
    const row = { name: 'waiting', value: 'x' }
    const written = store.write((tx) => tx.insertInto('instance').values(row).execute())
    asked.resolve()
    return await written.then(
      () => new Response('written'),
      (cause) => new Response(storageFault(cause)?.problem, { status: 503 }),
    )
  })
  const waiting = fetch(`http://127.0.0.1:${server.port}`, { method: 'DELETE' })
  await asked.promise
  await stop(server, store.storage.stopWaiting, { hurry: 200, close: 20_000 })
  const response = await waiting
  expect([response.status, await response.text()]).toEqual([503, 'busy'])
  await store.close()
  other.close()
}, 30_000)
