import { channelLines } from './channels'
import { headerLine } from './header'
import { type Joined, joinFacts } from './join'
import { mergedLines } from './merged'
import { searchFields } from './search-fields'
import { seriesKey, seriesLines } from './series'
import type { Sources } from './sources'
import { withKeys } from './work-keys'
import { workLine } from './work-line'
import { worksOf } from './works'

export function buildCatalogue(sources: Sources, joined: Joined = joinFacts(sources)) {
  const works = withKeys(worksOf(sources, joined))
  const series = seriesLines(works)
  const seriesKeys = new Set(series.map(({ key }) => key))
  const workLines = works.map((work) => {
    const part = seriesKey(work.ids)
    const line = workLine({ ...work, series: part && seriesKeys.has(part) ? [part] : [] }, sources)
    const shown = [line.title_en ?? '', ...(line.aliases ?? [])]
    return { ...line, ...searchFields(work, shown, sources) }
  })
  const merged = mergedLines(new Set(workLines.map(({ key }) => key)))
  return [headerLine(sources.revisions), ...channelLines(), ...series, ...workLines, ...merged]
}
