import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadedPack, recallOf } from '../../bench/search'
import { buildCorrected } from '../../db/catalogue/catalogue'
import { needlessCorrections } from '../../db/catalogue/needless'
import { pack } from '../../db/catalogue/pack'
import { readSources } from '../../db/catalogue/read-sources'
import { joinFacts } from '../../src/catalogue/default/join'
import { differenceText } from './difference'
import { guardRails } from './guard-rails'
import { packOf, readPack } from './packs'
import { farSeasons, unreviewedSeasons } from './season-review'
import { makeKeys, readKey } from './sign'
import { writePack } from './write'

const usage = `bun run pack [OUT] [--last FILE|FOLDER] [--key FILE] [--date YYYY-MM-DD]
bun run pack keys FILE`

/** Makes what is published of the catalogue, in OUT (`dist/pack`): docs/catalogue-packs.md. Exits 1 at a guard rail. */
async function makePack({ positionals: [out = 'dist/pack'], values }: ReturnType<typeof parsedArgs>) {
  const date = values.date ?? new Date().toISOString().slice(0, 10)
  const last = values.last === undefined ? undefined : await readPack(values.last)
  const sources = await readSources()
  const joined = joinFacts(sources)
  const { lines, notes } = buildCorrected(sources, joined)
  for (const note of [...notes, ...needlessCorrections(sources).map((why) => `no longer needed: ${why}`)])
    console.log(`corrections.jsonl: ${note}`)
  const [next, packed] = [packOf(lines), pack(lines)]
  if (last !== undefined) {
    const text = differenceText(last, next)
    await Bun.write(join(out, 'DIFFERENCE.txt'), text, { createPath: true })
    console.log(text)
  }
  const problems = [
    ...guardRails(last, next, packed.length, date),
    ...unreviewedSeasons(farSeasons(joined, sources)).map((line) => `review the season of ${line}`),
    ...(await searchProblems(packed)),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  const key = await readKey(values.key)
  const written = await writePack(out, { lines, packed, date, lastVersion: last?.version, key })
  console.log(`${out}: ${written.join(', ')}${key === undefined ? '; not signed, as there is no key' : ''}`)
}

/** 95 in 100 of the benchmark's queries must find their work among the first ten. */
async function searchProblems(packed: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'kiroku-pack-'))
  const store = await loadedPack(scratch, new Blob([packed]).stream())
  try {
    const recall = await recallOf(store, 'bench/search-queries.jsonl')
    console.log(`${(100 * recall).toFixed(1)} % of the queries find their work among the first ten`)
    return recall < 0.95 ? ['less than 95 % of the queries find the work that is meant'] : []
  } finally {
    await store.close()
    rmSync(scratch, { recursive: true })
  }
}

const parsedArgs = () =>
  parseArgs({
    options: { last: { type: 'string' }, key: { type: 'string' }, date: { type: 'string' } },
    allowPositionals: true,
  })

async function main() {
  const args = parsedArgs()
  const [command, file, ...more] = args.positionals
  if (command === 'keys' && file !== undefined && more.length === 0) return console.log(await makeKeys(file))
  if (command === 'keys' || args.positionals.length > 1) throw new Error(usage)
  await makePack(args)
}

if (import.meta.main) await main()
