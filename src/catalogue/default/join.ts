import { bareTitle, titleKey } from '../title-key'
import { armFinder } from './arm'
import { type Candidate, type Evidence, evidenceOf, isSame, weightOf } from './evidence'
import { releasedOn } from './released-on'
import { type BangumiItem, type Fact, type JoinSources, siteId } from './sources'

/** Maps items of bangumi-data to works in Annict's list, one to one. */
export interface Joined {
  facts: Map<BangumiItem, Fact>
  /** Ids that, by all other evidence, belong to another work. */
  contradictions: JoinedPair[]
}

export interface JoinedPair {
  item: BangumiItem
  fact: Fact
  evidence: Evidence
}

export function joinFacts(sources: JoinSources): Joined {
  const find = factFinder(sources.facts)
  const pairs = candidates(sources).flatMap((candidate) =>
    find(candidate).map((fact) => ({ item: candidate.item, fact, evidence: evidenceOf(candidate, fact) })),
  )
  const facts = oneToOne(pairs.filter(({ evidence }) => isSame(evidence)))
  for (const { item, fact } of corrected(sources)) link(facts, item, fact)
  const contradictions = pairs.filter(
    ({ item, fact, evidence }) => (evidence.mal || evidence.arm) && facts.get(item) !== fact,
  )
  return { facts, contradictions }
}

function candidates({ items, armRows, airDates, aliases }: JoinSources): Candidate[] {
  const findArmRow = armFinder(armRows)
  return items.map((item) => {
    const bangumi = siteId(item, 'bangumi') ?? ''
    const names = [...Object.values(item.titleTranslate).flat(), ...(aliases.get(bangumi) ?? [])]
    return { item, row: findArmRow(item), names, released: releasedOn(item, airDates.get(bangumi)) }
  })
}

function factFinder(facts: Fact[]): (candidate: Candidate) => Fact[] {
  const byMal = Map.groupBy(facts, ({ mal }) => mal)
  const byAnnict = new Map(facts.map((fact) => [fact.annict, fact]))
  const bySyobocal = Map.groupBy(facts, ({ syobocal }) => syobocal)
  const byBase = Map.groupBy(facts, ({ title }) => titleKey(title).base)
  const byBare = Map.groupBy(facts, ({ title }) => bareTitle(title))
  return ({ item, row, names }) => {
    const mal = Number(siteId(item, 'mal'))
    const found = [
      mal ? byMal.get(mal) : undefined,
      row?.annict_id ? byAnnict.get(row.annict_id) : undefined,
      row?.syobocal_tid ? bySyobocal.get(row.syobocal_tid) : undefined,
      byBare.get(bareTitle(item.title)),
      [item.title, ...names].flatMap((name) => byBase.get(titleKey(name).base) ?? []),
    ]
    return [...new Set(found.flatMap((some) => some ?? []))]
  }
}

function oneToOne(pairs: JoinedPair[]): Map<BangumiItem, Fact> {
  const joined = new Map<BangumiItem, Fact>()
  const taken = new Set<Fact>()
  const weighed = pairs.map((pair) => ({ ...pair, weight: weightOf(pair.evidence) }))
  for (const { item, fact } of weighed.toSorted(byWeight)) {
    if (joined.has(item) || taken.has(fact)) continue
    joined.set(item, fact)
    taken.add(fact)
  }
  return joined
}

type Weighed = JoinedPair & { weight: number }

// On equal weights, the shorter title is the whole work; then the earlier one, then the lower id.
const byWeight = (a: Weighed, b: Weighed) =>
  b.weight - a.weight ||
  a.item.title.length - b.item.title.length ||
  compare(a.item.begin, b.item.begin) ||
  compare(siteId(a.item, 'bangumi') ?? '', siteId(b.item, 'bangumi') ?? '') ||
  a.fact.annict - b.fact.annict

function corrected({
  items,
  facts,
  corrections,
}: JoinSources): { item: BangumiItem; fact: Fact | undefined }[] {
  return corrections.flatMap(({ bangumi, title, annict }) => {
    if ((bangumi === undefined && title === undefined) || annict === undefined) return []
    const item = items.find((one) =>
      bangumi === undefined ? one.title === title : siteId(one, 'bangumi') === String(bangumi),
    )
    const fact = facts.find((one) => one.annict === annict)
    if (item === undefined || (annict !== null && fact === undefined))
      throw new Error(`corrections.jsonl: no work has bangumi ${bangumi ?? title} or annict ${annict}`)
    return [{ item, fact }]
  })
}

function link(facts: Map<BangumiItem, Fact>, item: BangumiItem, fact: Fact | undefined): void {
  for (const [other, known] of facts) if (known === fact) facts.delete(other)
  if (fact === undefined) facts.delete(item)
  else facts.set(item, fact)
}

/** Compares UTF-16 units, since locale rules differ between machines. */
export const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
