import { armFinder, armFinderOfFacts } from './arm'
import { compare } from './compare'
import type { Correction } from './corrections'
import type { Fact } from './fact'
import type { Joined } from './join'
import { type Item, type JoinSources, siteId } from './sources'
import { twinsOf } from './twins'
import { type WorkIds, workIds } from './work-ids'

export interface Work {
  item: Item | undefined
  fact: Fact | undefined
  twins: Item[]
  correction: Correction | undefined
  title: string
  ids: WorkIds
}

/** Works of bangumi-data by begin, then those that only Annict lists, by id. */
export function worksOf(sources: JoinSources, { facts }: Joined): Work[] {
  const twins = twinsOf(sources.items, facts)
  const twinsBy = Map.groupBy(twins.keys(), (item) => twins.get(item))
  const found = new Set(facts.values())
  const identify = identifier(sources)
  return [
    ...sources.items
      .filter((item) => !twins.has(item))
      .toSorted(byBegin)
      .map((item) => ({ ...identify(item, facts.get(item)), twins: twinsBy.get(item) ?? [] })),
    ...sources.facts
      .filter((fact) => !found.has(fact))
      .map((fact) => ({ ...identify(undefined, fact), twins: [] })),
  ]
}

const byBegin = (a: Item, b: Item) => compare(a.begin, b.begin) || compare(a.title, b.title)

function identifier({ armRows, facts, corrections }: JoinSources) {
  const rowOfItem = armFinder(armRows)
  const rowOfFact = armFinderOfFacts(armRows)
  const mals = new Set(facts.map(({ mal }) => mal))
  return (item: Item | undefined, fact: Fact | undefined): Omit<Work, 'twins'> => {
    const correction = corrections.find((one) => isAbout(one, item, fact))
    const ofItem = item && rowOfItem(item)
    // If Annict does not list a work, an Annict id in its row belongs to another work.
    const ownRow = ofItem?.annict_id === undefined ? ofItem : undefined
    const row = fact ? rowOfFact(fact) : ownRow
    const ids = workIds({ item, fact, correction, row, isForeign: (mal) => mals.has(mal) })
    return { item, fact, correction, title: fact?.title ?? item?.title ?? '', ids }
  }
}

const isAbout = ({ bangumi, annict }: Correction, item: Item | undefined, fact: Fact | undefined) =>
  annict === undefined || annict === null
    ? bangumi !== undefined && item !== undefined && siteId(item, 'bangumi') === String(bangumi)
    : fact?.annict === annict
