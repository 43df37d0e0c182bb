import type { ImportOptions, RowReason, RowState, ShownRow } from '../plan/planned-row'
import type { ListRow } from '../row'
import type { ListSource } from '../sources'
import type { ListImport } from './list-import'

/** Files that users import. Everything throws not_found for somebody else's import. */
export interface Lists {
  /** Reads the whole file, which the caller still owns. Throws a `RefusedFile`, and then leaves nothing. */
  read(userId: number, file: ListFile, options: NewOptions): Promise<ListImport>
  /** Newest first. */
  list(
    userId: number,
    page: Page,
  ): Promise<{ readonly imports: readonly ListImport[]; readonly total: number }>
  find(userId: number, id: number): Promise<ListImport>
  /** In file order. */
  rows(
    userId: number,
    id: number,
    page: RowsPage,
  ): Promise<{ readonly rows: readonly ImportRow[]; readonly total: number }>
  /** CSV of the rows that are not imported, to be completed and uploaded again: text in chunks. */
  rest(userId: number, id: number): AsyncGenerator<string>
  /** Plans every row again. Throws invalid_params unless it is a preview. */
  setOptions(userId: number, id: number, options: Partial<ImportOptions>): Promise<ListImport>
  /** Throws invalid_params for a work that does not exist, or for a row that is not in a preview. */
  decide(userId: number, id: number, row: number, decision: RowDecision): Promise<ImportRow>
  /**
   * Starts applying it; repeated calls change nothing. Throws invalid_params while the score format is an open
   * question.
   */
  apply(userId: number, id: number, how: { readonly acceptsProbable: boolean }): Promise<ListImport>
  /**
   * Starts undoing it, even while it is being applied; repeated calls change nothing. Throws invalid_params for a
   * preview.
   */
  undo(userId: number, id: number): Promise<ListImport>
  /** Undoes an import that is being applied. Throws invalid_params for any other, unless it is being undone. */
  cancel(userId: number, id: number): Promise<ListImport>
  /** Deletes it. Throws invalid_params while work on it is running. */
  remove(userId: number, id: number): Promise<void>
  settled(id: number): Promise<void>
  /** Called when a server starts: resumes what was interrupted, and lets previews expire. */
  resume(): Promise<void>
  /** Resolves when running imports have stopped after their current chunk. */
  close(): Promise<void>
}

export interface ListFile {
  readonly path: string
  /** The owner's name for it, only for display. */
  readonly name: string
}

/** Options left out have their defaults; the time zone is the user's. */
export type NewOptions = Partial<ImportOptions> & {
  readonly source?: ListSource | undefined
  /** Which column of a table is which (`columnsIn`); remembered for the next table of this shape. */
  readonly columns?: string | undefined
}

export interface Page {
  readonly offset: number
  readonly limit: number
}

export interface RowsPage extends Page {
  readonly state?: RowState | undefined
  readonly reason?: string | undefined
}

export interface ImportRow {
  readonly number: number
  readonly sourceId: string
  readonly title: string
  readonly state: RowState
  readonly reason: RowReason | null
  readonly workId: number | null
  readonly shown: ShownRow
  /** What the file says; null once it was imported. */
  readonly said: ListRow | null
  /** The number here of the season's episode 1, chosen or proposed; null if the file's numbers are taken as they are. */
  readonly continuesAt: number | null
}

export interface RowDecision {
  readonly workId?: number | undefined
  readonly episodeOffset?: number | undefined
  readonly decision?: 'accept' | 'skip' | undefined
}
