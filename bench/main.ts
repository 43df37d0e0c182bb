import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../src/version'
import { measureEngine } from './engine'
import { measureGraphql } from './graphql'
import { measureGrowing } from './growing'
import { measureImport } from './imports'
import { contentsOf, executable, makeToken } from './instance'
import { measureListImport } from './list-import'
import { makeLargeInstance } from './list-instances'
import { measureLists } from './lists'
import { type LoadResult, type LoadSetup, measureLoad } from './load'
import { startMeasured } from './measured'
import { measureMemory } from './memory'
import { measurePages } from './pages'
import { measurePhone } from './phone'
import { loadHead, loadReport, otherReport, writeHead, writeReport } from './report'
import { type Scenario, scenarios } from './scenarios'
import { measureSearch } from './search'
import { measureStartUp } from './start-up'
import { writeScenarios } from './write-scenarios'
import { measureWrites } from './writes'

/** A catalogue larger than the default one, if it exists next to the checkout. */
const reference = '../shared/catalogue/catalogue-reference.jsonl.gz'
const defaultPack = 'dist/catalogue-default.jsonl.zst'

/**
 * `bun run bench [--quick] [WORD…]`: everything, or only the scenarios whose names contain one of the words.
 * `bun run bench lists [WORD…]`: how long lists take, or only those whose paths contain one of the words.
 * `bun run bench pages`: bytes and time of every page in an instance of 1,000,000 records.
 * `bun run bench growing [DIR]`: throughput with more clients and cores, in such an instance or a given one.
 * `bun run bench engine [DIR]`: the engine's budgets, beside Fastify with better-sqlite3 and a bare server.
 * `bun run bench memory [DIR]`: memory of 50,000 users' instance, or a given one, under load and at rest.
 * `bun run bench list-import`: reads, applies and undoes a list of 100,000 rows.
 * `bun run bench graphql`: compares queries with REST lists of the same fields, and scales a library's episodes.
 * `bun run bench phone`: first paint, layout shift and response to presses on a slow phone and network.
 * `bun run bench search [PACK]`: what searches find in the default catalogue or another one, and at what cost.
 */
async function main(args: readonly string[]): Promise<void> {
  const quick = args.includes('--quick')
  const words = args.filter((arg) => !arg.startsWith('--'))
  const scratch = mkdtempSync(join(tmpdir(), 'kiroku-bench-'))
  try {
    const pace = quick ? { rounds: 2, seconds: 0.5 } : { rounds: 7, seconds: 2 }
    const busy = loadavg()[0] ?? 0
    console.log(`kiroku ${version} on Bun ${Bun.version}, ${process.platform} ${process.arch}`)
    console.log(
      `Running beside it at the start: ${busy.toFixed(1)} programs${busy > 0.5 ? ', which blur the figures' : ''}.`,
    )
    if (words[0] === 'lists') return await reportLists(scratch, words.slice(1), quick)
    if (words[0] === 'pages') return await reportPages(scratch, quick)
    if (words[0] === 'growing')
      return console.log(await measureGrowing(scratch, defaultPack, words[1], quick ? 2 : 8))
    if (words[0] === 'engine')
      return console.log(await measureEngine({ scratch, pack: defaultPack, given: words[1], ...pace }))
    if (words[0] === 'memory')
      return console.log(await measureMemory(scratch, defaultPack, words[1], quick ? 3000 : 30_000))
    if (words[0] === 'graphql') return console.log(`\n${await measureGraphql(scratch, defaultPack, pace)}`)
    if (words[0] === 'phone') return console.log(`\n${await measurePhone(scratch, quick ? 1 : 5)}`)
    if (words[0] === 'list-import') return console.log(`\n${await measureListImport(scratch)}`)
    if (words[0] === 'search') return console.log(await measureSearch(scratch, words[1] ?? defaultPack))
    // Measured first, as the disk is busy after the others.
    const startUp = await measureStartUp(scratch, quick ? 3 : 10)
    const imports = await measureImports(scratch)
    const token = await makeToken(join(scratch, 'load'))
    const { loads, loadedRss } = await measureLoads(scratch, token, words, pace)
    const written = await measureWrites(named(writeScenarios, words), {
      data: join(scratch, 'load'),
      token,
      scratch,
      ...pace,
    })
    console.log(`\n${loadHead(pace.rounds)}\n\n${loadReport(loads)}`)
    console.log(`\n${writeHead}\n\n${writeReport(written)}`)
    const size = statSync(executable).size / 1e6
    console.log(`\n${otherReport({ startUp, loadedRss, size, imports })}`)
    if (words.length === 0) await reportLists(scratch, [], quick)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

async function reportLists(scratch: string, words: readonly string[], quick: boolean): Promise<void> {
  const data = await makeLargeInstance(scratch, existsSync(reference) ? reference : defaultPack)
  console.log(
    '\nLists in an instance of 1,000,000 records by 20,000 users: CPU time of an answer in this process, found and put',
  )
  console.log('together anew each time, from totals and renderings that are kept; medians.\n')
  console.log(await measureLists(data, words, quick ? 2 : 7))
}

async function reportPages(scratch: string, quick: boolean): Promise<void> {
  const data = await makeLargeInstance(scratch, defaultPack)
  console.log('\nPages for the member with the most rows, in an instance of 1,000,000 records\n')
  console.log(await measurePages(data, quick ? 5 : 30))
}

async function measureImports(scratch: string) {
  const packed = await Bun.file(defaultPack).bytes()
  const pack = join(scratch, 'default.jsonl')
  await Bun.write(pack, Bun.zstdDecompressSync(packed))
  const load = join(scratch, 'load')
  const isThere = existsSync(reference)
  const own = isThere ? join(scratch, 'default') : load
  const imports = [
    { name: 'default catalogue', aim: 3, imported: await measureImport(pack, own) },
    { name: 'default catalogue, again', aim: 3, imported: await measureImport(pack, own) },
  ]
  if (!isThere) return imports
  return [
    ...imports,
    { name: 'large catalogue', aim: 10, imported: await measureImport(reference, load) },
    { name: 'large catalogue, again', aim: 3, imported: await measureImport(reference, load) },
  ]
}

async function measureLoads(
  scratch: string,
  token: string,
  words: readonly string[],
  pace: { rounds: number; seconds: number },
) {
  const data = join(scratch, 'load')
  const serve = ['serve', '--data', data, '--port', '0', '--no-catalogue', '--rate-limit', 'off']
  await using kiroku = await startMeasured([executable, ...serve], join(scratch, 'kiroku.log'))
  const rawServer = [process.execPath, join(import.meta.dir, 'raw-server.ts'), data]
  await using raw = await startMeasured(rawServer, join(scratch, 'raw.log'))
  const site: LoadSetup = { kiroku, raw, token, contents: contentsOf(data), scratch, ...pace }
  const loads: (readonly [Scenario, LoadResult])[] = []
  for (const scenario of named(scenarios, words)) {
    loads.push([scenario, await measureLoad(scenario, site)])
  }
  return { loads, loadedRss: kiroku.rss() }
}

const named = <S extends { readonly name: string }>(all: readonly S[], words: readonly string[]): S[] =>
  all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

if (import.meta.main) await main(process.argv.slice(2))
