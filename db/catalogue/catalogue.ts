import { claimAnnictIds } from './annict-claims'
import { armFinder } from './arm'
import { channelLines } from './channels'
import { headerLine } from './header'
import { seriesKey, seriesLines } from './series'
import { type Item, readSources, type Sources } from './sources'
import { workIds } from './work-ids'
import { withKeys } from './work-keys'
import { workLine } from './work-line'

/** The default catalogue, catalogue JSONL v1: one object per line. The same sources make the same lines. */
export function buildCatalogue(sources: Sources = readSources()) {
  const works = withKeys(identified(sources))
  const series = seriesLines(works)
  const seriesKeys = new Set(series.map(({ key }) => key))
  const workLines = works.map((work) => {
    const part = seriesKey(work.ids)
    return workLine({ ...work, series: part && seriesKeys.has(part) ? [part] : [] }, sources)
  })
  return [headerLine(sources.versions), ...channelLines(), ...series, ...workLines]
}

/** The works in the order of their begin, each with its ids elsewhere. */
function identified({ items, armRows }: Sources) {
  const findArmRow = armFinder(armRows)
  const annictIds = claimAnnictIds(items, findArmRow)
  return items
    .toSorted(byBegin)
    .map((item) => ({ item, ids: workIds(item, findArmRow(item), annictIds.get(item)) }))
}

const byBegin = (a: Item, b: Item) => compare(a.begin, b.begin) || compare(a.title, b.title)

// Not by the locale's rules, which differ between machines.
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
