import type { Line } from '../file/line'
import { type Kind, type KindName, placeOf } from '../kinds/field'
import { kindOf } from '../kinds/kinds'
import type { NamedKind } from '../rows/named-rows'
import { isUnresolved, resolve } from '../rows/resolve'
import { noteStale, type Run } from '../run'
import { mergeRows } from './rows'

/**
 * Merges people and other rows that the work's credits know only by name into the rows of that name that this
 * credit refers to, so that its line takes their credits over.
 */
export function mergeCredited(run: Run, line: Line): void {
  const credited = creditedBy[line.kind.name]?.filter((kind) => run.names.hasSpelled(kind)) ?? []
  const resolved = credited.length === 0 ? undefined : resolve(run, line)
  if (resolved === undefined || isUnresolved(resolved)) return
  const work = Number(resolved.given[placeOf(line.kind, 'work_id')])
  for (const kind of credited) {
    const id = resolved.given[placeOf(line.kind, `${kind}_id`)]
    if (typeof id === 'number') mergeNamesakes(run, line.kind, kind, { work, id })
  }
}

const creditedBy: Readonly<Partial<Record<KindName, readonly NamedKind[]>>> = {
  cast: ['character', 'person'],
  staff: ['person', 'organization'],
}

function mergeNamesakes(
  run: Run,
  kind: Kind,
  credited: NamedKind,
  { work, id }: { readonly work: number; readonly id: number },
): void {
  const of = kindOf[credited]
  const name = run.tables.read(of, id)?.cells[placeOf(of, 'name')]
  if (typeof name !== 'string') return
  const isCredited = run.handle.query<never, [number, number]>(
    `select 1 from ${kind.table} where work_id = ? and ${credited}_id = ? limit 1`,
  )
  for (const from of run.names.spelled(credited, name)) {
    if (from === id || run.claims.isTaken(credited, from) || isCredited.values(work, from).length === 0)
      continue
    for (const _ of mergeRows(
      run.handle,
      of,
      { from, to: id },
      { onRename: (other, row) => run.keys.forget(other, row) },
    ));
    noteStale(run, of, from, id)
    run.tally.count(credited, 'merged')
  }
}
