import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogueStore } from './catalogue-store'
import { fetching } from './source-fetch'

/** Fetches from the server in its first argument into a file, and prints its peak memory in bytes. */
const [base = ''] = process.argv.slice(2)
const store = await catalogueStore()
const folder = mkdtempSync(join(tmpdir(), 'kiroku-fetched-'))
const { ask } = fetching({ store, base, source: { maxBytes: 1_000_000_000 } })
const { kind, ...answer } = await ask('https://api.example/', {
  keep: async (content) => {
    for await (const piece of content) appendFileSync(join(folder, 'answer'), piece)
  },
})
console.log(JSON.stringify({ kind, ...answer, size: Bun.file(join(folder, 'answer')).size }))
rmSync(folder, { recursive: true })
store.close()
