import type { WorkLine } from '../../../catalogue/default/work-line'
import type { WorkLines } from '../../../catalogue/default/work-lines'
import { seasonOf } from '../../../catalogue/season'
import type { Known, KnownWork } from '../../known'
import type { CatalogueLine, Scope } from '../../source'

/** The lines of the works within the run's scope, and of their series. */
export function* linesInScope(
  { series, works }: WorkLines,
  known: Known,
  scope: Scope,
): Generator<CatalogueLine> {
  const open = new Set(known.openWorkIds('bangumi'))
  const ids = new Set(known.workIds('bangumi'))
  const chosen = works
    .filter((work) => scope.isFull || isCurrent(work, scope) || open.has(String(work.line.ids.bangumi)))
    .map(({ line }) => ({ line, leftOut: settledOf(line, known) }))
    // Several works share this bangumi id: which of them is meant is unknown.
    .filter(({ line, leftOut }) => leftOut !== undefined || !ids.has(String(line.ids.bangumi)))
    .slice(0, scope.limit)
  const parts = new Set(chosen.flatMap(({ line }) => line.series ?? []))
  for (const line of series) if (parts.has(line.key)) yield { ...line }
  for (const { line, leftOut } of chosen) yield leftOut === undefined ? { ...line } : without(line, leftOut)
}

function isCurrent({ work, line }: WorkLines['works'][number], { seasons }: Scope): boolean {
  if (work.item === undefined || line.released_on === undefined) return false
  return seasons.includes(seasonOf(work.item, line.released_on, line.episodes_estimate ?? 0))
}

/**
 * The fields to leave out for a work in the catalogue: Annict's list or a better source decides title, medium and season
 * (D58), and if the work was joined with this entry before, first day and episode count come from sources that only the
 * build has. Undefined for a new work.
 */
function settledOf(line: WorkLine, known: Known): readonly string[] | undefined {
  const work = knownWork(line, known)
  if (work === undefined) return undefined
  const isJoined = work.ids.get('bangumi')?.includes(String(line.ids.bangumi)) === true
  return isJoined ? [...settled, ...settledByJoin] : settled
}

function knownWork({ key, ids }: WorkLine, known: Known): KnownWork | undefined {
  const [namespace = '', ...id] = key.split(':')
  return known.work(namespace, id.join(':')) ?? known.work('bangumi', String(ids.bangumi))
}

const settled = ['title', 'media', 'season_name']
const settledByJoin = ['released_on', 'episodes_estimate']

const without = (line: WorkLine, names: readonly string[]): CatalogueLine => ({
  type: line.type,
  ...Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name))),
})
