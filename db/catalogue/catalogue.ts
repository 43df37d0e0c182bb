import { channelLines } from './channels'
import { headerLine } from './header'
import { type Joined, joinFacts } from './join'
import { mergedLines } from './merged'
import { searchFields } from './search-fields'
import type { Sources } from './sources'
import { specialLines } from './specials'
import { workLines } from './work-lines'
import { worksOf } from './works'

export function buildCatalogue(sources: Sources, joined: Joined = joinFacts(sources)) {
  const { series, works } = workLines(worksOf(sources, joined), sources)
  const lines = works.map(({ work, line }) => {
    const shown = [line.title_en ?? '', ...(line.aliases ?? [])]
    return { ...line, ...searchFields(work, shown, sources) }
  })
  const merged = mergedLines(new Set(lines.map(({ key }) => key)))
  const specials = specialLines(works)
  return [headerLine(sources.revisions), ...channelLines(), ...series, ...lines, ...merged, ...specials]
}
