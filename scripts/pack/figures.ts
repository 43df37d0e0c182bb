import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadedPack, recallOf } from '../../bench/search'
import { bareTitle } from '../../src/catalogue/title-key'

interface Line {
  readonly type: string
  readonly title?: string
  readonly media?: string
  readonly season_name?: string
  readonly ids?: Readonly<Record<string, unknown>>
  readonly series?: readonly string[]
  readonly popularity?: number
  readonly episodes_estimate?: number | null
}

/** `bun scripts/pack/figures.ts FILE`: prints how much of a pack is known, and what an instance plans from it today. */
async function printFigures(file: string) {
  const packed = await Bun.file(file).bytes()
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(packed)).trimEnd()
  const lines: Line[] = text.split('\n').map((line) => JSON.parse(line))
  const works = lines.filter(({ type, title }) => type === 'work' && title !== undefined)
  for (const [name, figure] of [['bytes', packed.length] as const, ...told(works)])
    console.log(`${figure}\t${name}`)
  const scratch = mkdtempSync(join(tmpdir(), 'kiroku-figures-'))
  const store = await loadedPack(scratch, new Blob([packed]).stream())
  try {
    for (const [name, query] of Object.entries(queries))
      console.log(`${store.handle.query<{ n: number }, []>(query).get()?.n}\t${name}`)
    console.log(`${(100 * (await recallOf(store, 'bench/search-queries.jsonl'))).toFixed(1)}\t% of searches`)
  } finally {
    await store.close()
    rmSync(scratch, { recursive: true })
  }
}

function told(works: readonly Line[]): [string, number][] {
  const count = (name: string, is: (work: Line) => unknown): [string, number] => [
    name,
    works.filter(is).length,
  ]
  const isTv = ({ media }: Line) => media === 'tv'
  const since2023 = (work: Line) => isTv(work) && (work.season_name ?? '') >= '2023'
  const latest = (work: Line) => isTv(work) && work.season_name === '2026-autumn'
  const titles = new Set(works.filter(({ ids }) => ids?.annict).map(sameWork))
  return [
    ['works', works.length],
    count('works that Annict does not list', ({ ids }) => !ids?.annict),
    count(
      'of them with the title of one that it lists',
      (work) => !work.ids?.annict && titles.has(sameWork(work)),
    ),
    count('count exactly 100', ({ episodes_estimate }) => episodes_estimate === 100),
    count('count above 500', ({ episodes_estimate }) => Number(episodes_estimate) > 500),
    count('web works that count 1', (work) => work.media === 'web' && work.episodes_estimate === 1),
    count('television', isTv),
    count('television without a count', (work) => isTv(work) && !work.episodes_estimate),
    count('television since 2023', since2023),
    count('television since 2023 with popularity', (work) => since2023(work) && work.popularity),
    count('television of autumn 2026', latest),
    count('of autumn 2026 with popularity', (work) => latest(work) && work.popularity),
    count('of autumn 2026 in a series', (work) => latest(work) && work.series),
  ]
}

const sameWork = ({ title = '', season_name = '' }: Line) => `${bareTitle(title)} ${season_name.slice(0, 4)}`

const planned = 'select count(*) as n from programs where estimated = 1'
const queries = {
  'planned broadcasts': planned,
  'planned without an episode': `${planned} and episode_id is null`,
  'planned for works begun half a year ago or more': `${planned} and work_id in (
    select id from works where broadcast_begin < (unixepoch() - 182 * 86400) * 1000)`,
  'longest estimated list': `select max(n) as n from (
    select count(*) as n from episodes join works on works.id = work_id
    where estimated = 1 and episodes_estimate is null group by work_id)`,
  'episodes estimated': 'select count(*) as n from episodes where estimated = 1',
}

const [file] = process.argv.slice(2)
if (import.meta.main && file !== undefined) await printFigures(file)
