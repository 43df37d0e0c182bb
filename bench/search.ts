import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importCatalogue } from '../src/catalogue/import/import-catalogue'
import { findRows } from '../src/catalogue/search/find'
import { keyKinds, keysPerRow } from '../src/catalogue/search/keys/keys'
import { writtenKey } from '../src/catalogue/search/keys/written-key'
import { remakeIndexes } from '../src/catalogue/search/remake'
import { migrate } from '../src/db/migrate'
import { openHandle, openStore, type Store } from '../src/db/open'
import { madeQueries } from './made-queries'
import { table } from './table'

/** What is typed, of which kind it is, and the title of the work it means. */
interface Query {
  readonly kind: string
  readonly q: string
  readonly title: string
}

/** The committed set, made by rules and by hand, and another one next to the checkout. */
const sets = ['bench/search-queries.jsonl', '../shared/search/queries.jsonl']

/** How well and how fast a pack's works are found: recall by kind, time per query, time and size of the index. */
export async function measureSearch(scratch: string, pack: string): Promise<string> {
  const store = await loadedPack(scratch, Bun.file(pack).stream())
  try {
    const parts = [indexReport(store)]
    for (const set of sets.filter((file) => existsSync(file))) {
      const times: number[] = []
      parts.push(report(set, times, await placesIn(store, set, (query) => timed(times, query))))
    }
    parts.push(await madeReport(store))
    return parts.join('\n\n')
  } finally {
    await store.close()
  }
}

/** A new database with a pack, in a folder below `scratch`. */
export async function loadedPack(scratch: string, pack: AsyncIterable<Uint8Array>): Promise<Store> {
  const data = join(scratch, 'search')
  mkdirSync(data)
  const handle = openHandle(data)
  await migrate(handle)
  const store = openStore(data, handle)
  await importCatalogue(store, pack, { now: Date.now(), isTrusted: true })
  return store
}

/** The share of a set's queries that find the intended work among the first ten. */
export async function recallOf(store: Store, file: string): Promise<number> {
  const places = await placesIn(store, file, (query) => query())
  return places.filter(({ place }) => place < 10).length / places.length
}

function indexReport({ handle }: Store): string {
  handle.run("delete from instance where name = 'search_rules'")
  const before = process.cpuUsage()
  handle.transaction(() => remakeIndexes(handle))()
  const { user, system } = process.cpuUsage(before)
  const count = (sql: string) => Number(handle.query(sql).values()[0]?.[0])
  const bytes = count("select sum(pgsize) from dbstat where name like '%\\_search%' escape '\\'")
  const keys = count('select count(*) from works_search_keys')
  const works = count('select count(*) from works')
  return `${works} works, ${keys} keys: ${(bytes / 1e6).toFixed(1)} MB, made in ${((user + system) / 1e6).toFixed(2)} s of CPU time`
}

/** Queries made anew from titles, names and readings, as people mistype them. */
async function madeReport({ read, handle }: Store): Promise<string> {
  const titles = new Map(
    handle
      .query<{ id: number; title: string }, []>('select id, title from works')
      .all()
      .map(({ id, title }) => [id, title]),
  )
  const times: number[] = []
  const places: Placed[] = []
  for (const { kind, q, id } of madeQueries(handle, 2000)) {
    const ids = await timed(times, () => findRows(read, 'works', q))
    places.push({ kind, place: placeOf(ids, (one) => titles.get(one) === titles.get(id)) })
  }
  return report('2,000 queries made by rules', times, places)
}

interface Placed {
  readonly kind: string
  /** From 0; infinite if it was not found. */
  readonly place: number
}

function placeOf(ids: readonly number[], isMeant: (id: number) => boolean): number {
  const place = ids.findIndex(isMeant)
  return place < 0 ? Number.POSITIVE_INFINITY : place
}

/** Recall at 1 and at 10, and each query's best time of three. */
function report(name: string, times: number[], places: readonly Placed[]): string {
  const rows = [...Map.groupBy(places, ({ kind }) => kind), ['all', places] as const].map(([kind, of]) => [
    kind,
    String(of.length),
    ...[1, 10].map((most) => percent(of.filter(({ place }) => place < most).length / of.length)),
  ])
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(2)
  const heading = `${name}: ${at(0.5)} ms for the median query, ${at(0.99)} ms for the 99th percentile`
  return `${heading}\n\n${table([['kind', 'queries', '@1', '@10'], ...rows])}`
}

async function placesIn({ read, handle }: Store, file: string, run: Runner) {
  const queries = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Query => JSON.parse(line))
  const calledSo = handle.query<{ id: number }, [string]>(worksCalledSo)
  const places: Placed[] = []
  for (const { kind, q, title } of queries) {
    const ids = await run(() => findRows(read, 'works', q))
    const answers = calledSo.all(writtenKey(title)).map(({ id }) => id)
    places.push({ kind, place: placeOf(ids, (id) => answers.includes(id)) })
  }
  return places
}

type Runner = (query: () => Promise<readonly number[]>) => Promise<readonly number[]>

/** Another pack may give a work a different title, with this one among its other names. */
const worksCalledSo = `
  select distinct id / ${keysPerRow} as id from works_search_keys where key = ? and kind <= ${keyKinds.name}`

async function timed<T>(times: number[], run: () => Promise<T>): Promise<T> {
  const tries: number[] = []
  for (;;) {
    const before = performance.now()
    const result = await run()
    tries.push(performance.now() - before)
    if (tries.length < 3) continue
    times.push(Math.min(...tries))
    return result
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
