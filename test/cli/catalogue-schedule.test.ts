import { expect, test } from 'bun:test'
import { openHandle, openStore } from '../../src/db/open'
import { annict } from '../../src/sources/adapters/annict'
import { takeUpOrBegin } from '../../src/sources/run/begin'
import { lastRuns } from '../../src/sources/run/runs'
import { annictSite } from '../support/annict-site'
import { output } from '../support/in-process'
import { type Directory, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { until } from '../support/until'

async function withStore<T>(directory: Directory, use: (store: ReturnType<typeof openStore>) => Promise<T>) {
  const path = directory.file('data')
  const store = openStore(path, openHandle(path))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const runs = (directory: Directory) => withStore(directory, ({ read }) => lastRuns(read, 9))

/** Does what the page of a source does. */
const wantNow = (directory: Directory) =>
  withStore(directory, (store) =>
    takeUpOrBegin({ store, now: Date.now }, annict, {
      ...{ cause: 'page', asked: {}, isDryRun: false, isForced: false },
    }),
  )

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}

test('a run requested by a page runs in its own process; a stop ends it cleanly, and the next start resumes it', async () => {
  using directory = await preparedDirectory()
  using site = annictSite()
  await output(directory, ['catalogue', 'sources', 'enable', 'annict'], { input: 'secret' })
  await wantNow(directory)
  const stalled = site.stall('works Mg')
  const first = await startServer(directory, ['--log-format', 'json'], { env: site.env })
  await stalled
  const ready = await fetch(`${first.url}/readyz`)
  expect(ready.status).toBe(200)
  const ended = await first.end('SIGTERM')
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('source_failed')])
  expect(await runs(directory)).toMatchObject([{ id: 1, outcome: null, requests: 1 }])
  const metrics = `127.0.0.1:${freePort()}`
  const options = ['--log-format', 'json', '--metrics', metrics]
  await using second = await startServer(directory, options, { env: site.env })
  await until(async () => (await runs(directory))[0]?.endedAt !== null)
  expect(await runs(directory)).toMatchObject([
    { id: 1, outcome: 'done', cause: 'page', requests: 3, bytes: expect.any(Number) },
  ])
  expect(site.asked).toEqual(['works', 'works Mg', 'works Mg', 'dates'])
  const children = `/proc/${second.pid}/task/${second.pid}/children`
  await until(async () => (await Bun.file(children).text()).trim() === '')
  expect((await fetch(`${second.url}/works/900001`)).status).toBe(200)
  const measured = await (await fetch(`http://${metrics}/metrics`)).text()
  expect(measured).toContain('kiroku_catalogue_source_last_outcome{source="annict",outcome="done"} 1')
  const [, seconds] = /_last_success_timestamp_seconds{source="annict"} ([\d.]+)/.exec(measured) ?? []
  expect(Number(seconds) * 1000).toBeCloseTo((await runs(directory))[0]?.endedAt ?? 0, -1)
  const { stderr } = await second.end('SIGTERM')
  const logged = stderr.split('\n').filter((line) => line.includes('source_'))
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', event: 'source_run', source: 'annict', run: 1, outcome: 'done', requests: 3 },
  ])
}, 120_000)
