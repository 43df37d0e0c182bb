import { Database } from 'bun:sqlite'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '../src/db/open'
import { contentsOf, executable, makeToken } from './instance'
import { makeLargeInstance } from './list-instances'
import { burst, type Sample, startBare } from './load'
import { type MeasuredServer, startMeasured } from './measured'
import { median } from './median'
import { floodWithDistinct, memoryOf } from './memory'
import { type BenchRequest, requestsOf, scenarios } from './scenarios'
import { table } from './table'
import { newRecords } from './write-scenarios'

export interface EngineSetup {
  readonly scratch: string
  readonly pack: string
  /** A data directory, of which only copies are written to. */
  readonly given: string | undefined
  readonly rounds: number
  readonly seconds: number
}

/**
 * The budgets of the engine: kiroku beside a lean program with the same answers and beside a bare server with the same bytes, all
 * in one run and in turn. Times are CPU time per answer in µs, of all threads and system calls; medians.
 */
export async function measureEngine(setup: EngineSetup): Promise<string> {
  const { scratch, pack } = setup
  const data = copyOf(setup.given ?? (await makeLargeInstance(scratch, pack)), join(scratch, 'served'))
  const token = await makeToken(data)
  const peerData = copyOf(data, join(scratch, 'peer'))
  dropRowCounts(peerData)
  await using kiroku = await startMeasured(serve(data), join(scratch, 'engine.log'))
  await using peer = await startMeasured(await leanPeer(peerData), join(scratch, 'peer.log'))
  const site = { ...setup, kiroku, peer, token, records: recordsOf(data), pages: contentsOf(data) }
  await refuseDifferent(site)
  const rows = [
    ['CPU time of an answer, µs', 'kiroku', 'lean peer', 'bare'],
    ...(await measureReads(site)),
    ...(await measureRecords(site)),
    ...(await measureFlood(site)),
  ]
  return table(rows.map((row) => [...row, '']))
}

interface EngineSite extends EngineSetup {
  readonly kiroku: MeasuredServer
  readonly peer: MeasuredServer
  readonly token: string
  readonly records: readonly BenchRequest[]
  readonly pages: ReturnType<typeof contentsOf>
}

const serve = (data: string) => {
  const options = ['--port', '0', '--no-catalogue', '--rate-limit', 'off']
  return [executable, 'serve', '--data', data, ...options]
}

function copyOf(data: string, copy: string): string {
  cpSync(data, copy, { recursive: true })
  return copy
}

/** The peer counts rows when it is asked, as a lean program would. */
function dropRowCounts(data: string): void {
  using handle = new Database(databasePath(data))
  const made = handle.query<{ type: string; name: string }, []>(
    "select type, name from sqlite_schema where type = 'trigger' and (sql like '%row_count%' or sql like '%keyed_rows%')",
  )
  for (const { type, name } of made.all()) handle.run(`drop ${type} "${name}"`)
}

/**
 * Installs it the first time, which compiles better-sqlite3. It needs Node: `bun run` puts a folder before the others on the path
 * in which `node` is Bun itself (bunfig.toml).
 */
async function leanPeer(data: string): Promise<string[]> {
  const folder = join(import.meta.dir, 'lean')
  const folders = (process.env.PATH ?? '').split(':')
  const PATH = folders.filter((name) => !name.includes('/bun-node')).join(':')
  const node = Bun.which('node', { PATH })
  if (node === null) throw new Error('the lean peer needs Node, and there is none on the path')
  if (!existsSync(join(folder, 'node_modules')))
    await Bun.$`npm ci --no-audit --no-fund`.cwd(folder).env({ ...process.env, PATH })
  return [node, join(folder, 'server.js'), data]
}

function recordsOf(data: string): readonly BenchRequest[] {
  using handle = new Database(databasePath(data), { readonly: true })
  const episodes = handle.query<{ id: number }, []>('select id from episodes where hidden = 0').all()
  return newRecords(episodes.map(({ id }) => id)).map((record) => ({
    method: 'POST',
    target: '/v1/me/records',
    body: { ...record },
  }))
}

/** A figure for another answer would mean nothing. Only addresses, times and the record's id may differ. */
async function refuseDifferent({ kiroku, peer, token, records: [record] }: EngineSite): Promise<void> {
  const answers = async ({ port }: MeasuredServer) =>
    Promise.all([answerOf(port, token, { target: kept }), record && answerOf(port, token, record)])
  const [own, others] = [await answers(kiroku), await answers(peer)]
  if (JSON.stringify(own) !== JSON.stringify(others))
    throw new Error(`the peer answers otherwise: ${ownPart(own.join(), others.join())}`)
}

/** Where the first begins to differ from the second. */
function ownPart(own: string, others: string): string {
  const at = [...own].findIndex((letter, index) => letter !== others[index])
  return own.slice(Math.max(0, at - 40), at + 80)
}

async function answerOf(port: number, token: string, { method = 'GET', target, body }: BenchRequest) {
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return text.replaceAll(/http:\/\/127[^"]*|\d{4}-\d\d-\d\dT[^"]*|^\{"id":\d+/g, '')
}

const kept = '/v1/works?per_page=25'

async function measureReads(site: EngineSite): Promise<string[][]> {
  const { kiroku, peer, pages } = site
  await using bare = await startBare([{ target: kept }], site)
  const anyPage = scenarios.filter(({ name }) => name === 'works, any page')
  const random = anyPage.flatMap((scenario) => requestsOf(scenario, pages))
  const first = [{ target: kept }]
  const keptPage = await inTurn(site, {
    kiroku: () => burst(kiroku, first, site),
    beside: () => whileWriting(site, () => burst(kiroku, first, site)),
    peer: () => burst(peer, first, site),
    bare: () => burst(bare, first, site),
  })
  const randomPages = await inTurn(site, {
    kiroku: () => burst(kiroku, random, site),
    beside: () => whileWriting(site, () => burst(kiroku, random, site)),
    peer: () => burst(peer, random, site),
  })
  const cpu = ({ cpu: micros }: Sample) => micros
  const p99 = ({ p99: milliseconds }: Sample) => milliseconds
  const shown = (samples: readonly Sample[], figure = cpu) => median(samples.map(figure)).toFixed(1)
  return [
    ['kept first page', shown(keptPage.kiroku), shown(keptPage.peer), shown(keptPage.bare)],
    [
      '  times the peer, times bare',
      '',
      ratio(keptPage.kiroku, keptPage.peer, cpu),
      ratio(keptPage.kiroku, keptPage.bare, cpu),
    ],
    ['  20 records a second beside', shown(keptPage.beside), '', ''],
    ['  p99 of these readers, ms', shown(keptPage.beside, p99), '', ''],
    ['random pages', shown(randomPages.kiroku), shown(randomPages.peer), ''],
    ['  times the peer', '', ratio(randomPages.kiroku, randomPages.peer, cpu), ''],
    ['  20 records a second beside', shown(randomPages.beside), '', ''],
    ['  p99 of these readers, ms', shown(randomPages.beside, p99), '', ''],
  ]
}

async function measureRecords(site: EngineSite): Promise<string[][]> {
  const { kiroku, peer, records } = site
  const rows: string[][] = []
  for (const connections of [1, 64]) {
    const samples = await inTurn(site, {
      kiroku: () => burst(kiroku, records, site, connections),
      peer: () => burst(peer, records, site, connections),
    })
    const shown = (of: readonly Sample[], figure: (sample: Sample) => number) =>
      median(of.map(figure)).toFixed(0)
    const perSecond = (sample: Sample) => sample.perSecond
    rows.push(
      [
        `record, ${connections} connections`,
        shown(samples.kiroku, ({ cpu }) => cpu),
        shown(samples.peer, ({ cpu }) => cpu),
        '',
      ],
      ['  a second', shown(samples.kiroku, perSecond), shown(samples.peer, perSecond), ''],
      ["  times the peer's", ratio(samples.kiroku, samples.peer, perSecond), '', ''],
    )
  }
  return rows
}

/** Memory in MB: resident, its own and of files. */
async function measureFlood({ kiroku, token, seconds }: EngineSite): Promise<string[][]> {
  await floodWithDistinct(kiroku, token, seconds < 1 ? 3000 : 30_000)
  const after = memoryOf(kiroku)
  await Bun.sleep(60_000)
  return [
    ['memory after a flood, MB', after[0] ?? '', '', ''],
    ['  a minute later', memoryOf(kiroku)[0] ?? '', '', ''],
  ]
}

/** Every measure once a round; the first round is a warm-up. */
async function inTurn<Name extends string>(
  { rounds }: EngineSetup,
  measures: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Readonly<Record<Name, readonly Sample[]>>> {
  const all = Object.entries(measures) as [Name, () => Promise<Sample>][]
  const samples = Object.fromEntries(all.map(([name]) => [name, []])) as unknown as Record<Name, Sample[]>
  for (let round = 0; round <= rounds; round++)
    for (const [name, measure] of all) {
      const sample = await measure()
      if (sample.failures > 0) throw new Error(`${name}: ${sample.failures} answers were not 2xx`)
      if (round > 0) samples[name].push(sample)
    }
  return samples
}

/** The median of the rounds' ratios. */
const ratio = (one: readonly Sample[], other: readonly Sample[], figure: (sample: Sample) => number) =>
  median(
    one.flatMap((sample, round) => {
      const beside = other[round]
      return beside === undefined ? [] : [figure(sample) / figure(beside)]
    }),
  ).toFixed(2)

/** The CPU time of the 20 records a second counts as that of the readers. */
async function whileWriting(site: EngineSite, measure: () => Promise<Sample>): Promise<Sample> {
  let written = 0
  const write = async () => {
    const record = site.records[written++ % site.records.length]
    if (record !== undefined) await answerOf(site.kiroku.port, site.token, record)
  }
  const timer = setInterval(() => void write(), 50)
  try {
    return await measure()
  } finally {
    clearInterval(timer)
  }
}
