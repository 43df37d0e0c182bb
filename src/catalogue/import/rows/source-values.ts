import type { Database, Statement } from 'bun:sqlite'
import type { Cell } from '../kinds/cells'
import type { KindName } from '../kinds/field'

/** What sources say about fields that are by hand: the table `source_values` (D94). */
export class SourceValues {
  readonly #keep: Statement

  constructor(handle: Database) {
    this.#keep = handle.query(`
      insert into source_values (kind, row_id, field, source_id, value, seen_at) values (?, ?, ?, ?, ?, ?)
      on conflict do update set value = excluded.value, seen_at = excluded.seen_at`)
  }

  /** `at`: epoch milliseconds. */
  keep(
    { kind, id, field }: { readonly kind: KindName; readonly id: number; readonly field: string },
    { source, value, at }: { readonly source: number; readonly value: Cell; readonly at: number },
  ): void {
    this.#keep.run(kind, id, field, source, JSON.stringify(value), at)
  }
}
