import type { Line } from '../file/line'
import { type Kind, placeOf } from '../kinds/field'
import { findKind } from '../kinds/kinds'
import { isNamedKind, type NamedKind } from '../rows/named-rows'
import { isUnresolved, resolve } from '../rows/resolve'
import { noteStale, type Run } from '../run'
import { mergeRows } from './rows'

/**
 * Those whom other credits of the work know by their names alone become part of the rows that a credit names, so that
 * its line takes their credits over.
 */
export function mergeCredited(run: Run, line: Line): void {
  const { kind } = line
  if (kind.name !== 'cast' && kind.name !== 'staff') return
  const kinds = kind.fields.flatMap(({ ref }) =>
    ref !== undefined && isNamedKind(ref) && run.names.hasSpelled(ref) ? [ref] : [],
  )
  const resolved = kinds.length === 0 ? undefined : resolve(run, line)
  if (resolved === undefined || isUnresolved(resolved)) return
  const work = Number(resolved.given[placeOf(kind, 'work_id')])
  for (const credited of kinds) {
    const id = resolved.given[placeOf(kind, `${credited}_id`)]
    if (typeof id === 'number') mergeNamesakes(run, kind, credited, { work, id })
  }
}

function mergeNamesakes(
  run: Run,
  kind: Kind,
  credited: NamedKind,
  { work, id }: { readonly work: number; readonly id: number },
): void {
  const of = findKind(credited)
  const name = of && run.tables.read(of, id)?.cells[placeOf(of, 'name')]
  if (of === undefined || typeof name !== 'string') return
  const isCredited = run.handle.query<never, [number, number]>(
    `select 1 from ${kind.table} where work_id = ? and ${credited}_id = ? limit 1`,
  )
  for (const from of run.names.spelled(credited, name)) {
    if (from === id || run.claims.isTaken(credited, from) || isCredited.values(work, from).length === 0)
      continue
    for (const _ of mergeRows(run.handle, of, { from, to: id }, (other, row) => run.keys.forget(other, row)));
    for (const row of [from, id]) noteStale(run, of, row)
    run.tally.count(credited, 'merged')
  }
}
