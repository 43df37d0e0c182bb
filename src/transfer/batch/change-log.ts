import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import type { ChangeSink, NoteRow, ReviewRow, StatusRow } from '../plan/change-sink'
import type { leftKinds } from './list-import'

export type ChangeKind = (typeof leftKinds)[number]

/** A row of `list_import_changes`. `before` and `after` hold columns as JSON. */
export type ChangeColumns = {
  import_id: number
  kind: ChangeKind
  row_id: number
  last_id: number
  work_id: number
  before: string | null
  after: string | null
}

/** Collects the changes of an import, to write them in the same transaction. */
export class ChangeLog implements ChangeSink {
  readonly #changes: ChangeColumns[] = []

  constructor(private readonly importId: number) {}

  inserted(table: keyof typeof kindOf, workId: number, first: number, last: number): void {
    this.#note({ kind: kindOf[table], row_id: first, last_id: last, work_id: workId })
  }

  statusChanged(workId: number, before: StatusRow | null | 'none', after: StatusRow): void {
    const columns = before === 'none' ? { ...inJson(null, after), before: neverSet } : inJson(before, after)
    this.#note({ kind: 'status', row_id: workId, work_id: workId, ...columns })
  }

  noteChanged(workId: number, before: NoteRow | null, after: NoteRow): void {
    this.#note({ kind: 'note', row_id: workId, work_id: workId, ...inJson(before, after) })
  }

  reviewChanged(workId: number, id: number, before: ReviewRow, after: ReviewRow): void {
    this.#note({ kind: 'review', row_id: id, work_id: workId, ...inJson(before, after) })
  }

  async write(tx: Tx): Promise<void> {
    for (const change of this.#changes.splice(0)) await insert(tx, change)
  }

  #note(change: Pick<ChangeColumns, 'kind' | 'row_id' | 'work_id'> & Partial<ChangeColumns>): void {
    this.#changes.push({
      import_id: this.importId,
      last_id: change.row_id,
      before: null,
      after: null,
      ...change,
    })
  }
}

/** As `before` of a status: the work never had one, so its number in the library goes with it. */
export const neverSet = 'null'

const kindOf = {
  records: 'record',
  reviews: 'review',
  episodes: 'episode',
  laps: 'lap',
  skips: 'skip',
} as const

const inJson = (before: object | null, after: object) => ({
  before: before === null ? null : JSON.stringify(before),
  after: JSON.stringify(after),
})

const insert = preparedSql<never, ChangeColumns>(
  (slot) => sql`
    insert into list_import_changes (import_id, kind, row_id, last_id, work_id, before, after)
    values (${slot('import_id')}, ${slot('kind')}, ${slot('row_id')}, ${slot('last_id')}, ${slot('work_id')},
      ${slot('before')}, ${slot('after')})`,
)
