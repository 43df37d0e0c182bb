import type { ImportOptions, RowReason, RowState, ShownRow } from '../plan/planned-row'
import type { Row } from '../row'
import type { Source } from '../sources'
import type { ListImport } from './list-import'

/** Files that people take over. Of an import of somebody else everything throws not_found. */
export interface Lists {
  /** Reads the whole file, which stays the caller's. Throws a `RefusedFile`, and then leaves nothing. */
  read(userId: number, file: ListFile, options: NewOptions): Promise<ListImport>
  /** Newest first. */
  list(
    userId: number,
    page: Page,
  ): Promise<{ readonly imports: readonly ListImport[]; readonly total: number }>
  find(userId: number, id: number): Promise<ListImport>
  /** In the order of the file. */
  rows(
    userId: number,
    id: number,
    page: RowsPage,
  ): Promise<{ readonly rows: readonly ImportRow[]; readonly total: number }>
  /** CSV of what is not taken over, to be filled in and sent again: text in pieces. */
  rest(userId: number, id: number): AsyncGenerator<string>
  /** Plans every row again. Throws invalid_params unless it is a preview. */
  setOptions(userId: number, id: number, options: Partial<ImportOptions>): Promise<ListImport>
  /** Throws invalid_params for a work that is not there, or a row that is in no preview. */
  decide(userId: number, id: number, row: number, decision: RowDecision): Promise<ImportRow>
  /** Begins to apply it; again it changes nothing. With nothing to do it is applied already; throws invalid_params while a score format is asked. */
  apply(userId: number, id: number, how: { readonly acceptsProbable: boolean }): Promise<ListImport>
  /** Begins to undo it; also while it is being applied. Again it changes nothing. Throws invalid_params of a preview. */
  undo(userId: number, id: number): Promise<ListImport>
  /** Undoes one that is being applied. Throws invalid_params of any other but one that is being undone. */
  cancel(userId: number, id: number): Promise<ListImport>
  /** Forgets it. Throws invalid_params while something runs. */
  remove(userId: number, id: number): Promise<void>
  settled(id: number): Promise<void>
  /** At the start of a server: goes on with what was interrupted, and lets previews expire. */
  resume(): Promise<void>
  /** Resolves when the running ones have stopped after their present chunk. */
  close(): Promise<void>
}

export interface ListFile {
  readonly path: string
  /** As its owner calls it; only shown. */
  readonly name: string
}

/** Blank ones have their defaults; the time zone is the person's. */
export type NewOptions = Partial<ImportOptions> & { readonly source?: Source | undefined }

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
  /** What the file says; null once it was taken over. */
  readonly said: Row | null
}

export interface RowDecision {
  readonly workId?: number | undefined
  readonly episodeOffset?: number | undefined
  readonly decision?: 'accept' | 'skip' | undefined
}
