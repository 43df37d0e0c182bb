import { titleText } from '../title-key'
import { armFinder, armFinderOfFacts } from './arm'
import { compare, type Joined } from './join'
import { type BangumiItem, type Correction, type Fact, type JoinSources, siteId } from './sources'
import { day, instant } from './times'
import { type WorkIds, workIds } from './work-ids'

export interface JoinedWork {
  item: BangumiItem | undefined
  fact: Fact | undefined
  twins: BangumiItem[]
  correction: Correction | undefined
  title: string
  ids: WorkIds
}

/** Works of bangumi-data by begin, then those that only Annict lists, by id. */
export function worksOf(sources: JoinSources, { facts }: Joined): JoinedWork[] {
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

const byBegin = (a: BangumiItem, b: BangumiItem) => compare(a.begin, b.begin) || compare(a.title, b.title)

function identifier({ armRows, facts, corrections }: JoinSources) {
  const rowOfItem = armFinder(armRows)
  const rowOfFact = armFinderOfFacts(armRows)
  const mals = new Set(facts.map(({ mal }) => mal))
  return (item: BangumiItem | undefined, fact: Fact | undefined): Omit<JoinedWork, 'twins'> => {
    const correction = corrections.find((one) => isAbout(one, item, fact))
    const ofItem = item && rowOfItem(item)
    // If Annict does not list a work, an Annict id in its row belongs to another work.
    const ownRow = ofItem?.annict_id === undefined ? ofItem : undefined
    const row = fact ? rowOfFact(fact) : ownRow
    const ids = workIds({ item, fact, correction, row, isForeign: (mal) => mals.has(mal) })
    return { item, fact, correction, title: fact?.title ?? item?.title ?? '', ids }
  }
}

const isAbout = ({ bangumi, annict }: Correction, item: BangumiItem | undefined, fact: Fact | undefined) =>
  annict === undefined || annict === null
    ? bangumi !== undefined && item !== undefined && siteId(item, 'bangumi') === String(bangumi)
    : fact?.annict === annict

/** Maps duplicates to items kept: same bangumi id, title and medium within a month, or a show's non-Japanese title. */
function twinsOf(items: BangumiItem[], facts: Map<BangumiItem, Fact>): Map<BangumiItem, BangumiItem> {
  const twins = new Map<BangumiItem, BangumiItem>()
  const groups = Map.groupBy(
    [...items].sort((a, b) => rank(a, facts) - rank(b, facts)),
    ({ begin }) => begin.slice(0, 4),
  )
  for (const group of groups.values()) {
    for (const [at, item] of group.entries()) {
      if (facts.has(item)) continue
      const whole = group.slice(0, at).find((other) => !twins.has(other) && isTwin(item, other))
      if (whole !== undefined) twins.set(item, whole)
    }
  }
  return twins
}

const rank = (item: BangumiItem, facts: Map<BangumiItem, Fact>) =>
  (facts.has(item) ? 0 : 2) + Number(item.lang !== 'ja')

function isTwin(item: BangumiItem, other: BangumiItem): boolean {
  const bangumi = siteId(item, 'bangumi')
  if (bangumi !== undefined && bangumi === siteId(other, 'bangumi')) return true
  const apart = Math.abs((instant(item.begin) ?? 0) - (instant(other.begin) ?? Number.POSITIVE_INFINITY))
  if (item.type !== other.type || apart > 31 * day) return false
  const tmdb = siteId(item, 'tmdb')
  const isOneShow = tmdb === siteId(other, 'tmdb')
  if (tmdb !== undefined && isOneShow && item.lang !== 'ja') return true
  return (tmdb === undefined || isOneShow) && titleText(item.title) === titleText(other.title)
}
