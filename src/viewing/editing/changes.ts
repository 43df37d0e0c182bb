import { type RawBuilder, sql } from 'kysely'
import { editingRight } from '../../accounts/editing-right'
import type { ChangedField } from '../../catalogue/edit/log'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { keptMs } from '../../library/acts/act'
import type { MemberVisit } from '../../web/visit'
import type { EditorName } from './head'

/** A change with its author; times in epoch milliseconds. */
export interface ListedChange extends EditorName {
  readonly id: number
  readonly kind: string
  readonly work_id: number
  readonly subject_kind: ChangedField['kind']
  readonly subject_id: number
  readonly title: string | null
  /** By a source. */
  readonly source: string | null
  readonly acceptor: string | null
  readonly source_url: string
  readonly reason: string
  readonly created_at: number
  readonly fields: readonly ChangedField[]
  readonly undos: readonly ChangeUndo[]
}

interface ChangeUndo {
  readonly id: number
  readonly at: number
  readonly fields: readonly string[]
}

export type ChangedBy = 'hand' | 'source' | 'merge'

interface ChangesQuery {
  /** With what was merged into it; undefined: of the whole catalogue. */
  readonly work?: number
  readonly id?: number
  readonly by?: ChangedBy | undefined
  /** Older than this id. */
  readonly before?: number | undefined
  readonly limit: number
  /** Who reads. */
  readonly reader: number
}

/** Newest first. */
export async function listChanges(
  read: Read,
  { work, id, by, before, limit, reader }: ChangesQuery,
): Promise<ListedChange[]> {
  const values = { before: before ?? Number.MAX_SAFE_INTEGER, limit, reader }
  const rows =
    work === undefined
      ? await (id === undefined ? ofAll : ofId)(read, { ...values, id: id ?? 0 })
      : await ofWork[by ?? 'all'](read, { ...values, work })
  const ids = JSON.stringify(rows.map((row) => row.id))
  const fields = Map.groupBy(await fieldsOfAll(read, { ids }), ({ change_id }) => change_id)
  const undos = Map.groupBy(await undosOfAll(read, { ids }), ({ undoes_id }) => undoes_id)
  return rows.map((row) => ({
    ...{ ...row, fields: fields.get(row.id) ?? [] },
    undos: (undos.get(row.id) ?? []).map((undo) => ({
      id: undo.id,
      at: undo.at,
      fields: JSON.parse(undo.fields),
    })),
  }))
}

type ChangeRow = Omit<ListedChange, 'fields' | 'undos'>

const select = (reader: RawBuilder<number>) => sql`
  select c.id, c.kind, c.work_id, subject_kind, subject_id, works.title, c.user_id, author.username, author.privacy,
    sources.name as source, acceptor.username as acceptor, source_url, reason, c.created_at,
    author.disabled_at is not null or ${isApart(reader)} as is_hidden
  from catalogue_changes as c left join works on works.id = c.work_id left join users as author on author.id = c.user_id
  left join users as acceptor on acceptor.id = accepted_by left join sources on sources.id = c.source_id`

/** One of the two blocked the other, or the reader muted the author. */
export const isApart = (reader: RawBuilder<number>) => sql`exists (
  select 1 from mutes where mutes.user_id = ${reader} and muted_id = author.id
  union all select 1 from blocks where blocks.user_id = ${reader} and blocked_id = author.id
  union all select 1 from blocks where blocks.user_id = author.id and blocked_id = ${reader})`

type OfWork = { work: number; before: number; limit: number; reader: number }

const ofWorkThat = (condition: string) =>
  preparedSql<ChangeRow, OfWork>(
    (slot) => sql`${select(slot('reader'))} where c.work_id in (
      select ${slot('work')} union all select from_id from redirects where kind = 'work' and to_id = ${slot('work')})
    and ${sql.raw(condition)} and c.id < ${slot('before')} order by c.id desc limit ${slot('limit')}`,
  )

// use catalogue_changes_work
const ofWork = {
  all: ofWorkThat('true'),
  hand: ofWorkThat('c.source_id is null'),
  source: ofWorkThat('c.source_id is not null'),
  merge: ofWorkThat("c.kind in ('merge', 'split')"),
}

type OfAll = { reader: number; id: number; before: number; limit: number }

// uses catalogue_changes_by_hand
const ofAll = preparedSql<ChangeRow, OfAll>(
  (slot) =>
    sql`${select(slot('reader'))} where c.source_id is null and c.id < ${slot('before')} order by c.id desc limit ${slot('limit')}`,
)

const ofId = preparedSql<ChangeRow, OfAll>(
  (slot) =>
    sql`${select(slot('reader'))} where c.id = ${slot('id')} and c.id < ${slot('before')} limit ${slot('limit')}`,
)

const fieldsOfAll = preparedSql<ChangedField & { change_id: number }, { ids: string }>(
  (slot) => sql`
    select change_id, kind, row_id, field, before, after, owner_before, owner_after from catalogue_change_fields
    where change_id in (select value from json_each(${slot('ids')})) order by kind = 'work' desc, kind, row_id, field`,
)

type UndoRow = { id: number; undoes_id: number; at: number; fields: string }

// uses catalogue_changes_undoes
const undosOfAll = preparedSql<UndoRow, { ids: string }>(
  (slot) => sql`
    select id, undoes_id, created_at as at, (
      select json_group_array(kind || ' ' || row_id || ' ' || field) from catalogue_change_fields where change_id = c.id) as fields
    from catalogue_changes as c where undoes_id in (select value from json_each(${slot('ids')})) order by id desc`,
)

/** As forms name it. */
export const fieldKey = ({ kind, row_id, field }: Pick<ChangedField, 'kind' | 'row_id' | 'field'>): string =>
  `${kind} ${row_id} ${field}`

/** When the whole of it was undone last; undefined if not. */
export function undoneAt({ fields, undos }: ListedChange): number | undefined {
  const undone = new Set(undos.flatMap((undo) => undo.fields))
  return undos.length > 0 && fields.every((field) => undone.has(fieldKey(field))) ? undos[0]?.at : undefined
}

/** Editors always; the author of a change who may edit, for 30 days (D95). */
export function mayUndo(
  { deps, session }: MemberVisit,
  { user_id, created_at }: Pick<ListedChange, 'user_id' | 'created_at'>,
): boolean {
  const right = editingRight(deps.config, session)
  if (right === 'decide') return true
  return right === 'edit' && user_id === session.userId && created_at > deps.now() - keptMs
}
