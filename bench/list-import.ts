import type { Database } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDefaultCatalogue } from '../src/catalogue/default-catalogue'
import { migrate } from '../src/db/migrate'
import { openHandle, openStore, type Store } from '../src/db/open'
import { createLists } from '../src/transfer/batch/create-lists'
import type { Lists } from '../src/transfer/batch/lists'

const rowCount = 100_000
const user = 1

/**
 * A list of 100,000 rows that adds records of all works with a MyAnimeList id: how long reading, applying and undoing
 * take, what memory, and how long each write of somebody else waits meanwhile (imports.md §8).
 */
export async function measureListImport(scratch: string): Promise<string> {
  const directory = join(scratch, 'list-import')
  mkdirSync(directory)
  const handle = openHandle(directory)
  await migrate(handle)
  const store = openStore(directory, handle)
  await loadDefaultCatalogue(store, Date.now())
  handle.run(`
    insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    select value, value, value, '', value, value, '', 0 from (select 1 as value union select 2)`)
  const path = join(directory, 'list.csv')
  writeFileSync(path, listOf(handle))
  const lists = createLists({ ...store, now: Date.now })
  try {
    return (await measureAll(store, lists, path)).join('\n')
  } finally {
    await lists.close()
    await store.close()
  }
}

async function measureAll(store: Store, lists: Lists, path: string): Promise<readonly string[]> {
  let id = 0
  let sums = ''
  const reading = await measured(store, async () => {
    const preview = await lists.read(user, { path, name: 'list.csv' }, {})
    id = preview.id
    sums = JSON.stringify(preview.sums)
  })
  const applying = await measured(store, async () => {
    await lists.apply(user, id, { acceptsProbable: false })
    await lists.settled(id)
  })
  const undoing = await measured(store, async () => {
    await lists.undo(user, id)
    await lists.settled(id)
  })
  return [
    `${rowCount.toLocaleString('en')} rows, which add ${sums}`,
    `| | seconds | memory grew by, MiB | others waited, median | 99th percentile | longest, ms |`,
    `|---|---|---|---|---|---|`,
    `| reading | ${reading}`,
    `| applying | ${applying}`,
    `| undoing | ${undoing}`,
  ]
}

/** While somebody else writes every few milliseconds. */
async function measured(store: Store, work: () => Promise<void>): Promise<string> {
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  let [peak, isOver] = [before, false]
  const waits: number[] = []
  const others = (async () => {
    while (!isOver) {
      const begun = performance.now()
      await store.write((tx) =>
        tx
          .updateTable('users')
          .set({ created_at: begun | 0 })
          .where('id', '=', 2)
          .execute(),
      )
      waits.push(performance.now() - begun)
      peak = Math.max(peak, process.memoryUsage.rss())
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
  const grown = (peak - before) / 2 ** 20
  return `${seconds.toFixed(1)} | ${grown.toFixed(0)} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`
}

function listOf(handle: Database): string {
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
