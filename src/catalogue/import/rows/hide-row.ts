import type { Kind } from '../kinds/field'
import { noteStale, type Run } from '../run'
import type { Stored } from './tables'

/** Hides a row, and all rows of a work; nothing is deleted (D42). A source of higher priority may keep it visible. */
export function hideRow(run: Run, kind: Kind, id: number): 'deleted' | 'unchanged' | 'conflict' {
  const stored = run.tables.read(kind, id)
  if (stored === undefined || (stored.hidden & 1) === 1) return 'unchanged'
  if (isOutranked(run, stored)) return 'conflict'
  const owners = { ...stored.owners, hidden: run.source.id }
  run.tables.update(kind, id, { ...stored, hidden: stored.hidden | 1, owners }, true)
  noteStale(run, kind, id)
  return 'deleted'
}

export const isOutranked = ({ priorities, source }: Run, { owners, sourceId }: Stored): boolean =>
  (priorities.get(owners.hidden ?? sourceId) ?? 0) > source.priority
