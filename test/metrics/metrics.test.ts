import { afterAll, describe, expect, test } from 'bun:test'
import { countedLog } from '../../src/metrics/count-events'
import { createMetrics } from '../../src/metrics/create-metrics'
import { only } from '../../src/metrics/metrics'
import { debianTool, runTool } from '../support/debian-tool'
import { createInstance, query, requestOf, withToken } from '../support/instance'

const promtool = debianTool('promtool', 'prometheus')
const metrics = await createMetrics()
const kiroku = await createInstance({ metrics })
afterAll(kiroku.close)

const scrape = async () => (await metrics.text(false)).text

/** The series in the text, without their values. */
const seriesOf = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.slice(0, line.lastIndexOf(' '))]))

const figure = (text: string, series: string) => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

/** Methods that the runtime accepts. */
const oddMethods = ['PROPFIND', 'PURGE', 'MKCOL', 'LOCK', 'SEARCH', 'REPORT']

const requests = (route: string, code: number, method = 'GET') =>
  `kiroku_http_requests_total{route="${route}",method="${method}",code="${code}"}`

describe('requests', () => {
  test('are counted by the template of their route, method and status', async () => {
    await kiroku.get('/v1/works')
    await kiroku.ask('/v1/works')
    for (const id of [1, 2, 3]) await kiroku.ask(`/works/${id}`)
    await kiroku.get('/v1/me/records/999', { method: 'DELETE' })
    await kiroku.get('/v1/works', { method: 'PUT' })
    const text = await scrape()
    expect(figure(text, requests('/v1/works', 200))).toBe(1)
    expect(figure(text, requests('/v1/works', 401))).toBe(1)
    expect(figure(text, requests('/v1/works', 405, 'PUT'))).toBe(1)
    expect(figure(text, requests('/v1/me/records/:id', 404, 'DELETE'))).toBe(1)
    expect(figure(text, 'kiroku_http_request_duration_seconds_count{route="/works/:id",method="GET"}')).toBe(
      3,
    )
    expect(text).not.toContain('/works/1')
  })

  test('of any path, method and parameter add no series once one of their kind was counted', async () => {
    const odd = (n: number) => [
      requestOf(`/${'x'.repeat(n)}/${n}`),
      requestOf(`/v1/none/${n}`),
      requestOf('/v1/works', { method: oddMethods[n % oddMethods.length] ?? '' }),
      requestOf(`/works/${n}0000`),
      requestOf(`/v1/works${query({ filter_title: String(n) })}`),
      requestOf('/', { headers: { host: `a b${n}` } }),
    ]
    for (const request of odd(1)) await kiroku.handle(request)
    const before = seriesOf(await scrape())
    for (let n = 2; n < 200; n++) for (const request of odd(n)) await kiroku.handle(request)
    expect(seriesOf(await scrape())).toEqual(before)
  })

  test('with a body are counted by its length', async () => {
    const before = figure(await scrape(), 'kiroku_http_request_body_bytes_total') ?? 0
    const body = JSON.stringify({ work_id: 1, kind: 'watching' })
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const answer = await kiroku.ask(
      '/v1/me/statuses',
      withToken(kiroku.token, { method: 'POST', body, headers }),
    )
    expect(answer.status).toBe(204)
    expect(figure(await scrape(), 'kiroku_http_request_body_bytes_total')).toBe(before + body.length)
  })
})

test('the main port has no /metrics', async () => {
  expect((await kiroku.ask('/metrics')).status).toBe(404)
})

test('caches report their size and hits', async () => {
  await kiroku.get('/v1/episodes')
  const before = await scrape()
  await kiroku.get('/v1/episodes')
  const after = await scrape()
  const hits = 'kiroku_cache_hits_total{cache="bodies"}'
  expect(figure(after, hits)).toBe((figure(before, hits) ?? Number.NaN) + 1)
  expect(figure(after, 'kiroku_cache_bytes{cache="bodies"}')).toBeGreaterThan(0)
  expect(figure(after, 'kiroku_cache_bytes{cache="bodies"}')).toBeLessThan(8_000_000)
})

test('a figure that cannot be read is left out, and all others stay', async () => {
  const some = await createMetrics()
  some.read('kiroku_users', () => only(7))
  some.read('kiroku_wal_bytes', () => {
    throw new Error('the disk is gone')
  })
  const { text } = await some.text(false)
  expect(figure(text, 'kiroku_users')).toBe(7)
  expect(figure(text, 'kiroku_wal_bytes')).toBeUndefined()
})

test('events are counted by level, sign-ins, letters and faults by outcome', async () => {
  const counted = await createMetrics()
  const told: string[] = []
  const log = countedLog((event) => told.push(event), counted)
  const begun = (await counted.text(false)).text
  log('sign_in', { outcome: 'wrong' })
  log('mail', { outcome: 'failed' })
  log('cover_fetched', { work: 1, outcome: 'Error: connect ECONNREFUSED 192.0.2.1' })
  log('storage_fault', { problem: 'disk_full' })
  log('storage_fault_again', { problem: 'disk_full' })
  log('request', { status: 200 })
  const { text } = await counted.text(false)
  // Prometheus cannot see an increase of a series that begins with its first event.
  const eventsIn = (text: string) => seriesOf(text).filter((series) => /^kiroku_\w+_total\{/.test(series))
  expect(eventsIn(begun).toSorted()).toEqual(eventsIn(text).toSorted())
  expect(eventsIn(begun).filter((series) => figure(begun, series) !== 0)).toEqual([])
  expect(figure(text, 'kiroku_sign_ins_total{step="sign_in",outcome="wrong"}')).toBe(1)
  expect(figure(text, 'kiroku_letters_total{outcome="failed"}')).toBe(1)
  expect(figure(text, 'kiroku_cover_fetches_total{outcome="failed"}')).toBe(1)
  expect(figure(text, 'kiroku_storage_faults_total{problem="disk_full"}')).toBe(2)
  expect(figure(text, 'kiroku_log_events_total{event="mail",level="warn"}')).toBe(1)
  expect(seriesOf(text).filter((series) => series.includes('event="request"'))).toEqual([])
  expect(told).toHaveLength(6)
})

test('OpenMetrics and the text format are distinguished by content type, even at once', async () => {
  const [open, plain] = await Promise.all([metrics.text(true), metrics.text(false)])
  expect(open.type).toStartWith('application/openmetrics-text; version=1.0.0')
  expect(open.text).toEndWith('# EOF\n')
  expect(open.text).toContain('# TYPE kiroku_http_requests counter')
  expect(plain.type).toStartWith('text/plain; version=0.0.4')
  expect(plain.text).toContain('# TYPE kiroku_http_requests_total counter')
})

test.skipIf(promtool === undefined)('promtool accepts all names', async () => {
  const checked = await runTool([promtool ?? '', 'check', 'metrics'], await scrape())
  expect(checked).toEqual({ code: 0, said: '' })
})
