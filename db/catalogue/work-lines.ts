import { relatedCounts } from './relations'
import { type SeriesLine, seriesKey, seriesLines } from './series'
import type { Sources } from './sources'
import { withKeys } from './work-keys'
import { type WorkLine, workLine } from './work-line'
import type { Work } from './works'

export interface WorkLines {
  readonly series: readonly SeriesLine[]
  readonly works: readonly { readonly work: Work; readonly line: WorkLine }[]
}

/** Lines that the embedded catalogue and today's published packages have in common. */
export function workLines(
  found: readonly Work[],
  sources: Pick<Sources, 'airDates' | 'episodeCounts' | 'relations'>,
): WorkLines {
  const works = withKeys([...found])
  const relatedCount = relatedCounts(
    sources.relations,
    works.map(({ ids }) => ids),
  )
  const series = seriesLines(works)
  const seriesKeys = new Set(series.map(({ key }) => key))
  return {
    series,
    works: works.map((work) => {
      const part = seriesKey(work.ids)
      return {
        work,
        line: workLine(
          { ...work, series: part && seriesKeys.has(part) ? [part] : [] },
          { ...sources, relatedCount },
        ),
      }
    }),
  }
}
