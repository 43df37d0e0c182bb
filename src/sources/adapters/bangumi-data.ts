import { armFinder } from '../../catalogue/default/arm'
import { joinFacts } from '../../catalogue/default/join'
import {
  Arm,
  type ArmRow,
  BangumiData,
  type BangumiItem,
  type Fact,
  isMedia,
  siteId,
  withPlainTexts,
} from '../../catalogue/default/sources'
import type { WorkLine } from '../../catalogue/default/work-line'
import { type WorkLines, workLines } from '../../catalogue/default/work-lines'
import { worksOf } from '../../catalogue/default/works'
import { seasonOf } from '../../catalogue/season'
import { jsonReader } from '../json-answer'
import type { CatalogueWork, Known } from '../known'
import { type AnswerBody, type CatalogueLine, defineSource, headerOf, type RunScope } from '../source'

/** The current versions of the packages that the default catalogue is made of, converted by the code that makes it. */
export const bangumiData = defineSource<BangumiDataAnswer>({
  name: 'bangumi-data',
  title: 'bangumi-data, arm',
  licence: 'CC BY 4.0; MIT',
  home: 'https://github.com/bangumi-data/bangumi-data',
  hosts: ['cdn.jsdelivr.net'],
  intervalMs: 7 * 86_400_000,
  pace: { perSecond: 1, perHour: 20 },
  maxBytes: 32 * 2 ** 20,
  settings: [],
  matchTitles: true,
  *requests(_, state) {
    const accept = ['application/json']
    yield { url: 'https://cdn.jsdelivr.net/npm/bangumi-data@0.3/dist/data.json', as: 'items', accept }
    yield { url: 'https://cdn.jsdelivr.net/npm/@kawaiioverflow/arm@0/arm.json', as: 'arm', accept }
    return state
  },
  read: (as, body) => (as === 'items' ? readItems(body) : readArm(body)),
  lines,
})

type BangumiDataAnswer = { readonly items: BangumiItem[] } | { readonly armRows: ArmRow[] }

async function readItems(body: AnswerBody): Promise<BangumiDataAnswer> {
  return { items: (await itemsReader(body)).items.map(withPlainTexts) }
}

async function readArm(body: AnswerBody): Promise<BangumiDataAnswer> {
  return { armRows: await armReader(body) }
}

const itemsReader = jsonReader('data.json', BangumiData)
const armReader = jsonReader('arm.json', Arm)

function* lines(
  answers: readonly BangumiDataAnswer[],
  known: Known,
  scope: RunScope,
): Generator<CatalogueLine> {
  const sources = {
    ...unknownHere,
    items: answers.flatMap((answer) => ('items' in answer ? answer.items : [])),
    armRows: answers.flatMap((answer) => ('armRows' in answer ? answer.armRows : [])),
  }
  const { settled, items, facts } = knownPairs(sources, known)
  const joined = joinFacts({ ...sources, items, facts })
  const all = { ...sources, facts: [...facts, ...[...settled.values()].flatMap((fact) => fact ?? [])] }
  for (const [item, fact] of settled) if (fact !== undefined) joined.facts.set(item, fact)
  const works = worksOf(all, joined).filter(({ item }) => item !== undefined)
  yield headerOf('bangumi-data', ['annict'])
  yield* linesInScope(workLines(works, sources), known, scope)
}

/** Inputs that only the build of the default catalogue has. */
const unknownHere = {
  corrections: [],
  airDates: new Map(),
  aliases: new Map(),
  relations: [],
  episodeCounts: new Map(),
}

/** Which item is which work according to the catalogue: it contains Annict's list, which decides (D58). */
interface KnownPairs {
  /** Works in the catalogue with the item's bangumi id; undefined if Annict does not list them. */
  readonly settled: Map<BangumiItem, Fact | undefined>
  /** The other items and the works left for them, to be joined as in the build. */
  readonly items: BangumiItem[]
  readonly facts: Fact[]
}

export function knownPairs({ items, armRows }: Packages, known: Known): KnownPairs {
  const listed = new Map(listedWorks(known))
  const newFact = newFactFinder(armRows, known, listed)
  const settled = new Map<BangumiItem, Fact | undefined>()
  const found = new Set<Fact>()
  for (const item of items) {
    const work = known.work('bangumi', siteId(item, 'bangumi') ?? '')
    if (work === undefined) continue
    const fact = listed.get(Number(idOf(work, 'annict'))) ?? newFact(item)
    if (fact !== undefined && found.has(fact)) continue
    settled.set(item, fact)
    if (fact !== undefined) found.add(fact)
  }
  const free = items.filter((item) => !settled.has(item))
  const facts = [...new Set([...listed.values(), ...free.flatMap((item) => newFact(item) ?? [])])]
  return { settled, items: free, facts: facts.filter((fact) => !found.has(fact)) }
}

interface Packages {
  readonly items: BangumiItem[]
  readonly armRows: ArmRow[]
}

function* listedWorks(known: Known): Generator<[number, Fact]> {
  for (const id of known.workIds('annict')) {
    const work = known.work('annict', id)
    if (work !== undefined && isMedia(work.media)) yield [Number(id), factOf(work, Number(id), work.media)]
  }
}

const factOf = (work: CatalogueWork, annict: number, media: Fact['media']): Fact => ({
  annict,
  media,
  season: work.seasonYear === null ? undefined : `${work.seasonYear}-all`,
  mal: Number(idOf(work, 'mal')) || undefined,
  syobocal: Number(idOf(work, 'syobocal')) || undefined,
  title: work.title,
})

/** Finds an Annict id missing here. None if the MyAnimeList id has another one in the catalogue: one of them is wrong. */
function newFactFinder(armRows: ArmRow[], known: Known, listed: ReadonlyMap<number, Fact>) {
  const rowOf = armFinder(armRows)
  const made = new Map<number, Fact>()
  return (item: BangumiItem): Fact | undefined => {
    const row = rowOf(item)
    if (row?.annict_id === undefined || listed.has(row.annict_id)) return undefined
    const mal = row.mal_id ?? Number(siteId(item, 'mal'))
    const namesake = known.work('mal', String(mal))
    if (namesake !== undefined && idOf(namesake, 'annict') !== undefined) return undefined
    const fact = made.get(row.annict_id) ?? newFact(item, row, row.annict_id)
    made.set(fact.annict, fact)
    return fact
  }
}

const newFact = ({ title, type }: BangumiItem, row: ArmRow, annict: number): Fact => ({
  annict,
  media: type,
  season: undefined,
  mal: row.mal_id,
  syobocal: row.syobocal_tid,
  title,
})

const idOf = ({ ids }: CatalogueWork, namespace: string) => ids.get(namespace)?.[0]

/** The lines of the works within the run's scope, and of their series. */
function* linesInScope(
  { series, works }: WorkLines,
  known: Known,
  scope: RunScope,
): Generator<CatalogueLine> {
  const open = new Set(known.openWorkIds('bangumi'))
  const ids = new Set(known.workIds('bangumi'))
  const chosen = works
    .filter((work) => scope.isFull || isCurrent(work, scope) || open.has(String(work.line.ids.bangumi)))
    .map(({ line }) => ({ line, leftOut: settledOf(line, known) }))
    // Several works share this bangumi id: which of them is meant is unknown.
    .filter(({ line, leftOut }) => leftOut !== undefined || !ids.has(String(line.ids.bangumi)))
    .slice(0, scope.limit)
  const parts = new Set(chosen.flatMap(({ line }) => line.series ?? []))
  for (const line of series) if (parts.has(line.key)) yield { ...line }
  for (const { line, leftOut } of chosen) yield leftOut === undefined ? { ...line } : without(line, leftOut)
}

function isCurrent({ work, line }: WorkLines['works'][number], { seasons }: RunScope): boolean {
  if (work.item === undefined || line.released_on === undefined) return false
  return seasons.includes(seasonOf(work.item, line.released_on, line.episodes_estimate ?? 0))
}

/**
 * The fields to leave out for a work in the catalogue: Annict's list or a better source decides title, medium and season
 * (D58), and if the work was joined with this entry before, first day and episode count come from sources that only the
 * build has. Undefined for a new work.
 */
function settledOf(line: WorkLine, known: Known): readonly string[] | undefined {
  const work = knownWork(line, known)
  if (work === undefined) return undefined
  const isJoined = work.ids.get('bangumi')?.includes(String(line.ids.bangumi)) === true
  return isJoined ? [...settled, ...settledByJoin] : settled
}

function knownWork({ key, ids }: WorkLine, known: Known): CatalogueWork | undefined {
  const [namespace = '', ...id] = key.split(':')
  return known.work(namespace, id.join(':')) ?? known.work('bangumi', String(ids.bangumi))
}

const settled = ['title', 'media', 'season_name']
const settledByJoin = ['released_on', 'episodes_estimate']

const without = (line: WorkLine, names: readonly string[]): CatalogueLine => ({
  type: line.type,
  ...Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name))),
})
