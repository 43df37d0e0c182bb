import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHandle, openStore } from '../../../src/db/open'
import { createLists } from '../../../src/transfer/batch/create-lists'

// Reads a list of all works with a MyAnimeList id for user 1; prints its rows and by how many bytes memory grew.
const [directory = ''] = process.argv.slice(2)
const handle = openHandle(directory)
const store = openStore(directory, handle)
const lists = createLists({ ...store, now: Date.now })
const works = handle
  .query<{ id: string; count: number }, []>(
    `select external_id as id, episodes_count as count from external_ids join works on works.id = local_id
     where kind = 'work' and ns = 'mal' and is_key = 0 group by works.id`,
  )
  .all()
const read = async (rows: number) => {
  const path = join(directory, 'list.csv')
  const lines = works.slice(0, rows).map(({ id, count }) => `${id},watched,${count},great`)
  writeFileSync(path, `mal_id,status,progress,rating\n${lines.join('\n')}\n`)
  return await lists.read(1, { path, name: 'list.csv' }, {})
}

// Loads and compiles the code that reads.
await read(500)
Bun.gc(true)
const before = process.memoryUsage.rss()
let most = before
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss())
}, 5)
const { progress } = await read(works.length)
clearInterval(timer)
await lists.close()
await store.close()
console.log(JSON.stringify({ rows: progress.total, growth: most - before }))
