import { channelLines } from '../../src/catalogue/default/channels'
import { type Joined, joinFacts } from '../../src/catalogue/default/join'
import type { Sources } from '../../src/catalogue/default/sources'
import { type WorkLines, workLines } from '../../src/catalogue/default/work-lines'
import { worksOf } from '../../src/catalogue/default/works'
import { seriesByTitle, worksByBase } from './bases'
import { correctedPack } from './corrected'
import { readCorrectedLines } from './corrections'
import { headerLine } from './header'
import { mergedLines } from './merged'
import { inherited, readRenown } from './renown'
import { popularityOf, searchFields } from './search-fields'
import { specialLines } from './specials'

/** The lines of the pack. */
export const buildCatalogue = (sources: Sources, joined?: Joined) => buildCorrected(sources, joined).lines

/** With notes on corrections of `corrections.jsonl` that are no longer needed. */
export function buildCorrected(sources: Sources, joined: Joined = joinFacts(sources)) {
  const { series, works } = workLines(worksOf(sources, joined), sources)
  const groups = worksByBase(works)
  const byTitle = seriesByTitle(groups)
  const popularity = popularities(works, groups, sources)
  const lines = works.map(({ work, line }) => {
    const { key } = line
    const shown = [line.title_en ?? '', ...(line.aliases ?? [])]
    const inSeries = byTitle.keys.get(key)
    return {
      ...line,
      ...(inSeries !== undefined && { series: [inSeries] }),
      ...(isUncounted(work.item !== undefined, line) && { episodes_estimate: null }),
      ...searchFields(work, shown, sources),
      popularity: popularity.get(key),
    }
  })
  const merged = mergedLines(new Set(lines.map(({ key }) => key)))
  const specials = specialLines(works)
  const allSeries = [...series, ...byTitle.lines]
  return correctedPack(
    [headerLine(sources.revisions), ...channelLines(), ...allSeries, ...lines, ...merged, ...specials],
    readCorrectedLines(),
  )
}

// The line says so, as an older pack may have given a count.
const isUncounted = (hasItem: boolean, line: WorkLines['works'][number]['line']) =>
  hasItem && line.media !== 'movie' && line.episodes_estimate === undefined

/** By key. What is known of a work itself, or what a sequel gets from the works before it. */
function popularities(
  works: WorkLines['works'],
  groups: readonly WorkLines['works'][],
  sources: Sources,
): ReadonlyMap<string, number> {
  const renown = readRenown()
  const known = works.flatMap(({ work, line }) => {
    const popularity = Math.max(renown.get(line.ids.annict ?? 0) ?? 0, popularityOf(work, sources) ?? 0)
    return popularity > 0 ? [[line.key, popularity] as const] : []
  })
  const popularity = new Map(known)
  const sequels = groups.flatMap((group) =>
    group.map(({ line }, at) => ({ key: line.key, earlier: group.slice(0, at) })),
  )
  const inherit = sequels.flatMap(({ key, earlier }) => {
    const best = inherited(earlier.map(({ line }) => popularity.get(line.key)))
    return popularity.has(key) || best === undefined ? [] : [[key, best] as const]
  })
  return new Map([...known, ...inherit])
}
