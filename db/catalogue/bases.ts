import type { SeriesLine } from '../../src/catalogue/default/series'
import { seriesName } from '../../src/catalogue/default/series'
import type { WorkLine } from '../../src/catalogue/default/work-line'
import type { WorkLines } from '../../src/catalogue/default/work-lines'
import { titleKey } from '../../src/catalogue/title-key'

type BuiltWork = WorkLines['works'][number]

/** Works whose titles differ only in season, part or notes, in order of release; announced ones come last. */
export function worksByBase(works: readonly BuiltWork[]): BuiltWork[][] {
  const groups = Map.groupBy(works, ({ line }) => titleKey(line.title).base)
  return [...groups]
    .filter(([base, group]) => group.length > 1 && [...base].length >= shortest)
    .map(([, group]) => group.toSorted((a, b) => releasedAt(a.line) - releasedAt(b.line)))
}

// Titles of one letter are shared by works that have nothing in common.
const shortest = 2

const releasedAt = ({ released_on, season_name }: WorkLine) =>
  Date.parse(released_on ?? '') || seasonStart(season_name) || Number.MAX_SAFE_INTEGER

function seasonStart(season = ''): number {
  const [year, name = ''] = season.split('-')
  const month = ['winter', 'spring', 'summer', 'autumn'].indexOf(name) * 3
  return Date.UTC(Number(year), month < 0 ? 11 : month)
}

/** Series of works that have none by TMDB, and their lines: the one of most of the others, or a new one. */
export function seriesByTitle(groups: readonly (readonly BuiltWork[])[]): {
  readonly lines: readonly SeriesLine[]
  readonly keys: ReadonlyMap<string, string>
} {
  const lines: SeriesLine[] = []
  const keys = new Map<string, string>()
  for (const group of groups) {
    const shows = Map.groupBy(group, ({ line }) => line.series?.[0])
    const without = shows.get(undefined) ?? []
    shows.delete(undefined)
    const [[show] = []] = [...shows].toSorted(([, one], [, other]) => other.length - one.length)
    const key = show ?? `title:${titleKey(group[0]?.line.title ?? '').base}`
    for (const { line } of without) keys.set(line.key, key)
    if (show === undefined) lines.push({ type: 'series', key, name: seriesName(group.map(partOf)) })
  }
  return { lines, keys }
}

const partOf = ({ work, line: { title } }: BuiltWork) => ({
  title,
  type: work.item?.type ?? work.fact?.media,
})
