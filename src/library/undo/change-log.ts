import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { leftEpisodes } from './left-episodes'
import { fallingWith, findRow } from './rows'
import { isSameRow, type RowColumns, type UndoableName, undoableTables } from './undoable-tables'

/** Whose changes they are. */
type ChangesOf = { readonly act_id: number } | { readonly import_id: number }

type ChangedRow = {
  work_id: number
  table_name: UndoableName
  row_id: number
  last_id: number
  before: string | null
  after: string | null
  fallen: string | null
  is_aside: number
}

/**
 * Collects the changes of an act or an import in their order, to write them in the same transaction. A row is named by its
 * id, or by its work where a user has one row for each; `work` is 0 if a change concerns none.
 */
export class ChangeLog {
  constructor(
    private readonly tx: Tx,
    private readonly userId: number,
    private readonly how: 'act' | 'aside' | 'import',
    private readonly changes: ChangedRow[] = [],
  ) {}

  /** For changes that follow from the others, such as a change of status: an undo that has to leave them is not refused. */
  get aside(): ChangeLog {
    return this.how === 'act' ? new ChangeLog(this.tx, this.userId, 'aside', this.changes) : this
  }

  get #isAside(): number {
    return this.how === 'aside' ? 1 : 0
  }

  get isEmpty(): boolean {
    return this.changes.length === 0
  }

  /** Rows whose ids follow each other are one change. */
  async inserted(table: UndoableName, work: number, ...ids: readonly number[]): Promise<void> {
    const isCompared = this.how !== 'act' && undoableTables[table].isCompared === true
    for (const id of ids) {
      const last = this.changes.at(-1)
      const after = isCompared ? ((await findRow(this.tx, table, { user: this.userId, id })) ?? null) : null
      const follows =
        last?.table_name === table && last.work_id === work && last.last_id === id - 1 && isBareInsert(last)
      if (after === null && follows && last.is_aside === this.#isAside) last.last_id = id
      else this.#add(table, work, id, { after })
    }
  }

  /** Runs a change of a row, which may not be there before or afterwards; it deletes no other rows. */
  async changed<T>(table: UndoableName, work: number, id: number, change: () => Promise<T>): Promise<T> {
    const key = { user: this.userId, id }
    const before = (await findRow(this.tx, table, key)) ?? null
    const result = await change()
    const after = (await findRow(this.tx, table, key)) ?? null
    const isSame = before === null || after === null ? before === after : isSameRow(table, after, before)
    if (!isSame) this.#add(table, work, id, { before, after })
    return result
  }

  /** Call this before deleting the row. */
  async deleting(table: UndoableName, work: number, id: number): Promise<void> {
    const before = await findRow(this.tx, table, { user: this.userId, id })
    if (before === undefined) return
    const episodes = table === 'records' ? await leftEpisodes(this.tx, before) : []
    this.#add(table, work, id, {
      before,
      fallen: [...(await fallingWith(this.tx, table, before)), ...episodes],
    })
  }

  /** The same for a change of a status. A work's first one also gives it a number in the library. */
  async changedStatus(work: number, change: () => Promise<unknown>): Promise<void> {
    const own = { user: this.userId, work }
    const isFirst = (await libraryEntry(this.tx, own)).length === 0
    await this.changed('statuses', work, work, async () => {
      await change()
      const [entry] = isFirst ? await libraryEntry(this.tx, own) : []
      if (entry !== undefined) await this.aside.inserted('library_entries', work, entry.id)
    })
  }

  async write(of: ChangesOf): Promise<void> {
    const owner = { user_id: this.userId, act_id: null, import_id: null, ...of }
    for (const change of this.changes.splice(0)) await insertChange(this.tx, { ...owner, ...change })
  }

  #add(
    table_name: UndoableName,
    work_id: number,
    id: number,
    {
      before = null,
      after = null,
      fallen = null,
    }: {
      readonly before?: RowColumns | null
      readonly after?: RowColumns | null
      readonly fallen?: readonly (readonly [UndoableName, RowColumns])[] | null
    },
  ): void {
    this.changes.push({
      ...{ table_name, work_id, row_id: id, last_id: id, is_aside: this.#isAside },
      ...{ before: jsonOf(before), after: jsonOf(after), fallen: jsonOf(fallen) },
    })
  }
}

const isBareInsert = ({ before, after }: ChangedRow) => before === null && after === null

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

const libraryEntry = preparedSql<{ id: number }, { user: number; work: number }>(
  (slot) => sql`
    select id from library_entries where user_id = ${slot('user')} and work_id = ${slot('work')}`,
)

type NewChange = ChangedRow & { user_id: number; act_id: number | null; import_id: number | null }

const insertChange = preparedSql<never, NewChange>(
  (slot) => sql`
    insert into changes
      (user_id, act_id, import_id, work_id, table_name, row_id, last_id, before, after, fallen, is_aside)
    values (${slot('user_id')}, ${slot('act_id')}, ${slot('import_id')}, ${slot('work_id')}, ${slot('table_name')},
      ${slot('row_id')}, ${slot('last_id')}, ${slot('before')}, ${slot('after')}, ${slot('fallen')}, ${slot('is_aside')})`,
)
