import type { Database } from 'bun:sqlite'
import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Deps } from '../../deps'
import type { KindName } from '../import/kinds/field'

export type ChangeKind =
  | 'edit'
  | 'create'
  | 'hide'
  | 'show'
  | 'episodes'
  | 'programs'
  | 'credits'
  | 'merge'
  | 'split'
  | 'undo'
  | 'source'

/** Who changes what, and why. Ids; `now` in epoch milliseconds. */
export interface ChangeAbout {
  readonly kind: ChangeKind
  /** In whose history it is; 0 for none. */
  readonly work: number
  /** What the form was about, if that is not the work. */
  readonly subject?: { readonly kind: KindName; readonly id: number }
  readonly user: number
  /** Of a suggestion, which is its author's change: the editor who took it. */
  readonly acceptedBy?: number
  readonly proposal?: number
  readonly undoes?: number
  /** `https:`, or blank. */
  readonly sourceUrl?: string
  readonly reason?: string
  readonly now: number
}

/** A row of `catalogue_change_fields`: values as JSON. */
export interface ChangedField {
  readonly kind: KindName
  readonly row_id: number
  readonly field: string
  readonly before: string | null
  readonly after: string | null
  readonly owner_before: number | null
  readonly owner_after: number | null
}

export interface FieldValues {
  readonly before: unknown
  readonly after: unknown
  /** Sources: the field's entry in `owners`. */
  readonly owner_before?: number | null
  readonly owner_after?: number | null
}

/** Returns the id of the change. */
export function logChange(handle: Database, about: ChangeAbout, fields: readonly ChangedField[]): number {
  const { kind, work, subject = { kind: 'work', id: work }, user, now } = about
  const [row] = handle
    .query<{ id: number }, (string | number | null)[]>(
      `insert into catalogue_changes (kind, work_id, subject_kind, subject_id, user_id, accepted_by, proposal_id, undoes_id,
         source_url, reason, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`,
    )
    .all(
      ...[kind, work, subject.kind, subject.id, user, about.acceptedBy ?? null, about.proposal ?? null],
      ...[about.undoes ?? null, about.sourceUrl ?? '', about.reason ?? '', now],
    )
  if (row === undefined) throw new Error('nothing was inserted')
  addFields(handle, row.id, fields)
  return row.id
}

/** A described row that a source changed, in the history of its work; 0 for none (D95). */
export function logSourceChange(
  handle: Database,
  { source, work, now }: { readonly source: number; readonly work: number; readonly now: number },
  fields: readonly ChangedField[],
): void {
  const [first] = fields
  if (first === undefined) return
  const { lastInsertRowid } = handle
    .query(
      `insert into catalogue_changes (kind, work_id, subject_kind, subject_id, source_id, created_at)
       values ('source', ?, ?, ?, ?, ?)`,
    )
    .run(work, first.kind, first.row_id, source, now)
  addFields(handle, Number(lastInsertRowid), fields)
}

const sourceChangesKeptMs = 400 * 86_400_000
const mostAtOnce = 200

/** Forgets what sources changed more than 400 days ago; what is by hand stays, from a file too. */
export async function sweepSourceChanges({ write, now }: Pick<Deps, 'write' | 'now'>): Promise<void> {
  const before = now() - sourceChangesKeptMs
  for (let deleted = mostAtOnce; deleted === mostAtOnce; )
    deleted = (await write((tx) => dropSourceChanges(tx, { before }))).length
}

/** Uses catalogue_changes_age. */
const dropSourceChanges = preparedSql<{ id: number }, { before: number }>(
  (slot) => sql`
    delete from catalogue_changes where id in (
      select id from catalogue_changes where source_id is not null and source_id <> 1 and created_at < ${slot('before')}
      limit ${sql.lit(mostAtOnce)})
    returning id`,
)

/** In the order of their names. Uses the primary key. */
export const fieldsOfChange = (handle: Database, change: number): ChangedField[] =>
  handle
    .query<ChangedField, [number]>(
      `select kind, row_id, field, before, after, owner_before, owner_after from catalogue_change_fields where change_id = ?`,
    )
    .all(change)

export function addFields(handle: Database, change: number, fields: readonly ChangedField[]): void {
  const add = handle.query(
    `insert into catalogue_change_fields (change_id, kind, row_id, field, before, after, owner_before, owner_after)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { kind, row_id, field, before, after, owner_before, owner_after } of fields)
    add.run(change, kind, row_id, field, before, after, owner_before, owner_after)
}
