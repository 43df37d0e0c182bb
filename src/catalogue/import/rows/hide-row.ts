import type { Cell } from '../kinds/cells'
import { type Kind, placeOf } from '../kinds/field'
import { noteStale, type Run } from '../run'
import { byHand } from '../source'
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

/**
 * Whether a person said what a new row of a source would add to: that the list of episodes is complete, or when the work is
 * broadcast on the channel. Such a row is hidden by hand, and shown as what the source says instead (D94).
 */
export function isSaidByHand({ handle, source }: Run, kind: Kind, cells: readonly Cell[]): boolean {
  if (source.id === byHand) return false
  const cell = (column: string) => cells[placeOf(kind, column)] ?? null
  const work = cell('work_id')
  if (kind.name === 'episode') return handle.query(completeList).values(work).length > 0
  if (kind.name !== 'program') return false
  return (
    handle.query(besideSlot).values(work, cell('channel_id'), cell('started_at'), cell('is_rebroadcast'))
      .length > 0
  )
}

const completeList = "select 1 from works where id = ? and list_state = 'complete'"

/** Days before and after a slot by hand, within which a source means the same broadcasts. */
const besideDays = 3

// uses program_slots_work and programs_of_slot
const besideSlot = `
  select 1 from program_slots as s join programs as p on p.slot_id = s.id and p.hidden & 1 = 0
  where s.work_id = ?1 and s.channel_id = ?2 and s.is_rebroadcast = ?4
  group by s.id
  having ?3 between min(p.started_at) - ${besideDays} * 86400000 and max(p.started_at) + ${besideDays} * 86400000`

/** Unlike `hideRow`, whoever lists it: only a person shows it again. */
export function hideByHand(run: Run, kind: Kind, id: number): void {
  const stored = run.tables.read(kind, id)
  if (stored === undefined) return
  const owners = { ...stored.owners, hidden: byHand }
  run.tables.update(kind, id, { ...stored, hidden: stored.hidden | 1, owners }, true)
}

export const isOutranked = ({ priorities, source }: Run, { owners, sourceId }: Stored): boolean =>
  (priorities.get(owners.hidden ?? sourceId) ?? 0) > source.priority
