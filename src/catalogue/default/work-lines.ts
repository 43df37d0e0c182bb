import { relatedCounts } from './relations'
import { type SeriesLine, seriesKey, seriesLines } from './series'
import type { Sources } from './sources'
import type { WorkIds } from './work-ids'
import { type WorkLine, workLine } from './work-line'
import type { JoinedWork } from './works'

export interface WorkLines {
  readonly series: readonly SeriesLine[]
  readonly works: readonly { readonly work: JoinedWork; readonly line: WorkLine }[]
}

/** Lines that the embedded catalogue and today's published packages have in common. */
export function workLines(
  found: readonly JoinedWork[],
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

/** Stable keys: the Annict id, else the first unique id, else the title. Duplicates in the source are numbered. */
export function withKeys<Part extends Pick<JoinedWork, 'ids' | 'title'>>(
  works: Part[],
): (Part & { key: string })[] {
  const uses = new Map<string, number>()
  for (const name of works.flatMap(({ ids }) => names(ids))) count(uses, name)
  const taken = new Map<string, number>()
  return works.map((work) => {
    const key = names(work.ids).find((name) => uses.get(name) === 1) ?? `title:${work.title}`
    const times = count(taken, key)
    return { ...work, key: times === 1 ? key : `${key} (${times})` }
  })
}

const names = (ids: WorkIds) =>
  namespaces.flatMap((namespace) => (ids[namespace] === undefined ? [] : [`${namespace}:${ids[namespace]}`]))

const namespaces = ['annict', 'bangumi', 'mal', 'anilist', 'anidb', 'tmdb', 'syobocal'] as const

function count(counts: Map<string, number>, name: string): number {
  const times = (counts.get(name) ?? 0) + 1
  counts.set(name, times)
  return times
}
