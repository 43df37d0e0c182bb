import { armFinder } from '../../../catalogue/default/arm'
import { type ArmRow, type BangumiItem, type Fact, isMedia, siteId } from '../../../catalogue/default/sources'
import type { Known, KnownWork } from '../../known'

/** Which item is which work according to the catalogue: it contains Annict's list, which decides (D58). */
export interface KnownPairs {
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

const factOf = (work: KnownWork, annict: number, media: Fact['media']): Fact => ({
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

const idOf = ({ ids }: KnownWork, namespace: string) => ids.get(namespace)?.[0]
