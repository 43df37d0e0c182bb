import type { Database } from 'bun:sqlite'
import { isRecorded } from '../estimate/drop-estimates'
import type { Cell } from '../import/kinds/cells'
import { byHand } from '../import/source'
import { CatalogueChange } from './change'
import { type ChangedField, fieldsOfChange } from './log'
import type { PartName, PartRow } from './parts'

/** Why a field stays as it is: changed since, or in use. */
export type WhyKept = 'changed' | 'used'

export interface UndoneChange {
  /** The undo, which is a change too; undefined if nothing was put back. */
  readonly id: number | undefined
  readonly kept: readonly { readonly field: ChangedField; readonly why: WhyKept }[]
}

interface UndoAbout {
  readonly change: number
  /** Only this field of one row. */
  readonly only?: Pick<ChangedField, 'kind' | 'row_id' | 'field'>
  readonly user: number
  readonly now: number
}

/**
 * Puts back each field that still is what the change made of it, with whose it was (D95). Of a source's change, what is put
 * back is by hand, or the source would bring its own again. Synchronous, in a write. Not for merges and splits (D97).
 */
export function undoChange(handle: Database, { change, only, user, now }: UndoAbout): UndoneChange {
  const [made] = handle
    .query<MadeChange, [number]>(
      `select work_id as work, subject_kind as kind, subject_id as id, source_id as source, proposal_id as proposal
       from catalogue_changes where id = ?`,
    )
    .all(change)
  if (made === undefined) return { id: undefined, kept: [] }
  const { work, kind, id } = made
  const undo = new CatalogueChange(handle, {
    kind: 'undo',
    work,
    subject: { kind, id },
    user,
    undoes: change,
    now,
  })
  const kept: { field: ChangedField; why: WhyKept }[] = []
  // What was made last is taken back first.
  for (const field of fieldsOfChange(handle, change).toReversed()) {
    if (only !== undefined && !isSame(field, only)) continue
    const why = putBack(handle, undo, field, made.source !== null)
    if (why !== undefined) kept.push({ field, why })
  }
  return { id: undo.save(), kept }
}

interface MadeChange {
  readonly work: number
  readonly kind: ChangedField['kind']
  readonly id: number
  readonly source: number | null
}

const isSame = (one: ChangedField, other: NonNullable<UndoAbout['only']>) =>
  one.kind === other.kind && one.row_id === other.row_id && one.field === other.field

function putBack(
  handle: Database,
  undo: CatalogueChange,
  { kind, row_id: id, field, before, after, owner_before }: ChangedField,
  wasSource: boolean,
): WhyKept | undefined {
  if (!undo.has(kind, id)) return 'changed'
  if (field === '*' || field === 'hidden') {
    const hides = field === '*' || before === '1'
    if (hides && kind === 'episode' && isUsed(handle, id)) return 'used'
    const owner = field === '*' || wasSource ? byHand : owner_before
    return undo.setHidden(kind, id, hides, owner) ? undefined : 'changed'
  }
  const part = partIn(field)
  if (part !== undefined) {
    const [old, made]: (readonly PartRow[])[] = [JSON.parse(before ?? '[]'), JSON.parse(after ?? '[]')]
    if (!Bun.deepEquals(undo.partRows(id, part.name, part.value), made)) return 'changed'
    undo.putPart(id, part.name, part.value, old ?? [], old?.length === 0 && made?.[0]?.source_id !== byHand)
    return undefined
  }
  if (JSON.stringify(undo.value(kind, id, field)) !== after) return 'changed'
  const value: Cell = JSON.parse(before ?? 'null')
  undo.put(kind, id, field, { value, owner: wasSource ? byHand : owner_before })
  return undefined
}

const partNames: readonly PartName[] = ['aliases', 'series', 'streams']

function partIn(field: string): { name: PartName; value: string } | undefined {
  const name = partNames.find((one) => field.startsWith(`${one}.`))
  return name && { name, value: field.slice(name.length + 1) }
}

/** Recorded or skipped by anybody: such an episode is never deleted (D96). */
const isUsed = (handle: Database, episode: number): boolean =>
  handle
    .query(
      `select 1 from episodes where id = ?1 and (${isRecorded} or exists (select 1 from skips where episode_id = ?1))`,
    )
    .values(episode).length > 0
