import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '../src/db/open'
import { executable, kiroku, makeToken } from './instance'
import { type MeasuredServer, startMeasured } from './measured'

const rowCount = 100_000

/**
 * Gives a server that has just started a list of 100,000 rows, which adds records of all works with a
 * MyAnimeList id. Measures how long reading, applying and undoing take, how much memory they use, and how
 * long each write by another user waits meanwhile.
 */
export async function measureListImport(scratch: string): Promise<string> {
  const data = join(scratch, 'list-import')
  const site = { token: await makeToken(data), otherToken: await makeOther(data) }
  await kiroku(['catalogue', 'load', '--data', data])
  const list = join(scratch, 'list.csv')
  writeFileSync(list, listOf(data))
  await using server = await startMeasured(
    [executable, 'serve', '--data', data, '--port', '0', '--no-catalogue', '--rate-limit', 'off'],
    join(scratch, 'list-import.log'),
    '0,1',
  )
  // The server checks the database first.
  await Bun.sleep(8000)
  return (await measureAll({ server, ...site }, Bun.file(list))).join('\n')
}

interface Site {
  readonly server: MeasuredServer
  readonly token: string
  /** The other user's token. */
  readonly otherToken: string
}

async function makeOther(data: string): Promise<string> {
  const user = ['user', 'create', 'other', '--email', 'other@example.com', '--password-stdin']
  await kiroku([...user, '--data', data], 'correct horse battery staple')
  return await kiroku(
    ['token', 'create', 'other', '--description', 'bench', '--scope', 'read write'].concat('--data', data),
  )
}

interface Shown {
  readonly id: number
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
}

async function measureAll(site: Site, list: Blob): Promise<readonly string[]> {
  // Memory that requests alone take is not the import's.
  for (let count = 0; count < 500; count++) await timedWrite(site, count)
  const first = site.server.rss()
  let preview: Shown | undefined
  const reading = await measured(site, first, async () => {
    const body = new FormData()
    body.set('file', list, 'list.csv')
    preview = await call(site, 'POST', '/v1/me/imports', body)
  })
  const { id = 0, counts = {} } = preview ?? {}
  const until = async (act: string, state: string) => {
    await call(site, 'POST', `/v1/me/imports/${id}/${act}`)
    while ((await call(site, 'GET', `/v1/me/imports/${id}`)).state !== state) await Bun.sleep(200)
  }
  return [
    `${rowCount.toLocaleString('en')} rows: ${JSON.stringify(counts)}; the server had ${first.toFixed(0)} MB before`,
    '| | seconds | memory above that, MiB | others waited, median | 99th percentile | longest, ms |',
    '|---|---|---|---|---|---|',
    `| reading | ${reading}`,
    `| applying | ${await measured(site, first, () => until('apply', 'applied'))}`,
    `| undoing | ${await measured(site, first, () => until('undo', 'undone'))}`,
  ]
}

async function call({ server, token }: Site, method: string, path: string, body?: FormData): Promise<Shown> {
  const answer = await fetch(`http://localhost:${server.port}${path}`, {
    ...{ method, headers: { authorization: `Bearer ${token}` } },
    ...(body && { body }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Shown
}

/** Runs `work` while another user writes every few milliseconds. `first`: the memory to compare with, in MB. */
async function measured(site: Site, first: number, work: () => Promise<void>): Promise<string> {
  let [peak, isOver] = [first, false]
  const waits: number[] = []
  const others = (async () => {
    for (let count = 0; !isOver; count++) {
      waits.push(await timedWrite(site, count))
      peak = Math.max(peak, site.server.rss())
      await Bun.sleep(5)
    }
  })()
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1000
  isOver = true
  await others
  const sorted = waits.sort((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)
  const grown = ((peak - first) * 1e6) / 2 ** 20
  return `${seconds.toFixed(1)} | ${grown.toFixed(0)} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`
}

/** Returns milliseconds. */
async function timedWrite({ server, otherToken }: Site, count: number): Promise<number> {
  const begun = performance.now()
  const kind = count % 2 === 0 ? 'wanna_watch' : 'on_hold'
  const answer = await fetch(`http://localhost:${server.port}/v1/me/statuses?work_id=1&kind=${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${otherToken}` },
  })
  if (!answer.ok) throw new Error(`A status of somebody else: ${answer.status} ${await answer.text()}`)
  return performance.now() - begun
}

function listOf(data: string): string {
  using handle = new Database(databasePath(data), { readonly: true })
  const works = handle
    .query<{ mal: string; title: string; n: number }, []>(
      `select external_id as mal, title, episodes_count as n from external_ids join works on works.id = local_id
       where kind = 'work' and ns = 'mal' and is_key = 0 group by works.id order by works.id`,
    )
    .all()
  const lines = Array.from({ length: rowCount }, (_, at) => {
    const work = works[at]
    if (work === undefined) return `${10_000_000 + at},知らない作品 ${at},watched,12,great,2020-01-02`
    return `${work.mal},"${work.title.replaceAll('"', '')}",watched,${work.n},great,2020-01-02`
  })
  return `mal_id,title,status,progress,rating,started_on\n${lines.join('\n')}\n`
}
