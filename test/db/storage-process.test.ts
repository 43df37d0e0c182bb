import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { listen, stop } from '../../src/cli/server/server'
import { databasePath, openStore } from '../../src/db/open'
import { storageFault } from '../../src/db/storage-fault'
import { exitCodes } from '../../src/lib/failure'
import { episode, header, textOf, work } from '../support/catalogue-store'
import { openCopy } from '../support/database-copy'
import { output } from '../support/in-process'
import type { Body } from '../support/instance'
import { run, spawn, startServer, temporaryDirectory } from '../support/kiroku'

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

async function readiness(url: string): Promise<{ status: number; problems: string[] }> {
  const response = await fetch(`${url}/readyz`)
  const { problems }: Body = await response.json()
  return { status: response.status, problems }
}

/** Limits files to this many blocks of 512 bytes; a write beyond that is an error, not a signal. */
const withFilesUpTo = (blocks: number) => ({
  through: ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`],
})

test('promise 10: while the log cannot grow, writes and /readyz are 503', async () => {
  const data = copyOf(directory.file('limited'))
  const limits = withFilesUpTo(1000)
  await using server = await startServer(directory, ['--data', data, '--rate-limit', 'off'], limits)
  let method = 'POST'
  let refused = await follow(server.url, method)
  for (let turn = 0; refused.ok && turn < 2000; turn++) {
    method = method === 'POST' ? 'DELETE' : 'POST'
    refused = await follow(server.url, method)
  }
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  for (let turn = 0; turn < 3; turn++) {
    // The other one would change nothing, and so be fine.
    expect((await follow(server.url, method)).status).toBe(503)
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

test('promise 10: an idle server notices that its database was moved, and logs what to do', async () => {
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
})

test('promise 7: a request that waits for another process is answered before the server ends, in time', async () => {
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
})
