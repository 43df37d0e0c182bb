import type { Sources } from '../../src/catalogue/default/sources'
import { siteId } from '../../src/catalogue/default/sources'
import { unlessEmpty } from '../../src/catalogue/default/work-line'
import type { JoinedWork } from '../../src/catalogue/default/works'

export interface SearchFields {
  search_names?: string[] | undefined
  /** From a dictionary: good enough to search by, not to display. */
  search_readings?: string[] | undefined
}

export function searchFields(work: JoinedWork, shown: string[], sources: SearchSources): SearchFields {
  const titles = [work.title, ...(work.item ? [work.item.title] : [])]
  const readings = titles.flatMap((title) => sources.readingOf(title) ?? [])
  return {
    search_names: unlessEmpty(namesBeside([work.title, ...shown], work, sources)),
    search_readings: unlessEmpty([...new Set(readings)]),
  }
}

type SearchSources = Pick<Sources, 'aliases' | 'readingOf' | 'usualNames'>

function namesBeside(
  shown: string[],
  { ids, item, twins }: JoinedWork,
  { aliases, usualNames }: SearchSources,
): string[] {
  const seen = new Set(shown.map(folded))
  const items = item ? [item, ...twins] : []
  const names = items.flatMap((one) => aliases.get(siteId(one, 'bangumi') ?? '') ?? [])
  return [...names, ...(usualNames.get(Number(ids.annict)) ?? [])].filter((name) => {
    const isNew = name !== '' && !seen.has(folded(name))
    seen.add(folded(name))
    return isNew
  })
}

/**
 * Grows with the number of bangumi collections; undefined if unknown. Steps of a fifth suffice for sorting and compress
 * better.
 */
export function popularityOf({ ids }: JoinedWork, { keepers }: Pick<Sources, 'keepers'>): number | undefined {
  const count = keepers.get(String(ids.bangumi)) ?? 0
  return count > 0 ? Math.ceil(4 * Math.log2(1 + count)) : undefined
}

const folded = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s/gu, '')
