import type { Database } from 'bun:sqlite'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import type { CommunityOptions } from '../../src/demo/community-rows'
import { makeCommunity } from '../../src/demo/make-community'
import { bytesOf, type CatalogueStore, catalogueStore, episode, now, textOf, work } from './catalogue-store'
import type { Seed } from './database-copy'

const day = 24 * 60 * 60 * 1000

/** How many shown and broadcast works the made-up catalogue has, with `episodes` episodes each. */
export const works = 300
export const episodes = 12

/** A catalogue with works of many seasons, a future one, a film, hidden rows, and something of everything else. */
export const demoStore = (): Promise<CatalogueStore> => catalogueStore(seed)

const seed: Seed = async (store) => {
  const hidden = ['w:1', 'w:2'].map((key) => work(key, { deleted: true }))
  const hiddenEpisode = { type: 'episode', key: 'w:3-12', work: 'w:3', deleted: true }
  for (const rows of [[...catalogue()], [...hidden, hiddenEpisode]]) {
    const { problems } = await importCatalogue(store, bytesOf(textOf('mine', rows), 65_536), { now })
    if (problems.length > 0) throw new Error(problems[0]?.message)
  }
}

function* catalogue() {
  for (let n = 1; n <= works + 2; n += 1) {
    const begin = new Date(now - (20 + n * 13) * day).toISOString()
    yield work(`w:${n}`, { broadcast: { begin, interval: 'P7D' } })
    for (let k = 1; k <= episodes; k += 1) yield episode(`w:${n}-${k}`, `w:${n}`, k)
  }
  yield work('w:next', { broadcast: { begin: new Date(now + 5 * day).toISOString(), interval: 'P7D' } })
  yield episode('w:next-1', 'w:next', 1)
  yield work('w:film', { media: 'movie', released_on: '2019-07-19' })
  for (let n = 1; n <= 5; n += 1) {
    yield { type: 'channel', key: `ch:${n}`, name: `Channel ${n}` }
    for (const type of ['character', 'person', 'organization'])
      yield { type, key: `${type}:${n}`, name: `${n}` }
  }
}

/** Creates a community up to the catalogue's `now`. */
export const demo = (handle: Database, asked: Partial<CommunityOptions> = {}) =>
  makeCommunity(handle, {
    ...{ users: 120, records: 6000, seed: 1, until: now, force: false, onProgress: () => {} },
    ...asked,
  })

/** A hash of all rows per table, without what migrations note and how search indexes are laid out. */
export function contentsOf(handle: Database): Record<string, string> {
  const tables = handle
    .query<{ name: string }, []>(
      `select name from sqlite_schema where type = 'table' and name not like 'kysely_%' and name not like '%_search_%'
         and name <> 'instance' order by name`,
    )
    .all()
  const hash = (table: string) => {
    const hasher = new Bun.CryptoHasher('sha256')
    for (const row of handle.query(`select * from ${table}`).values()) hasher.update(JSON.stringify(row))
    return hasher.digest('hex')
  }
  return Object.fromEntries(tables.map(({ name }) => [name, hash(name)]))
}
