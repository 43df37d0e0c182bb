import type { Database } from 'bun:sqlite'
import type { KindName } from './kinds/field'

export type Stage = 'judging' | 'applying'

/** A value that was ignored because the source `owner` has a higher priority. */
export interface Conflict {
  readonly kind: KindName
  /** A column, or `ids.` plus a namespace. */
  readonly field: string
  readonly owner: number
}

export interface CatalogueImportOptions {
  /** Epoch milliseconds. */
  readonly now: number
  readonly dryRun?: boolean
  /** Overrides the source named in the file. */
  readonly source?: string
  /** Lets a snapshot hide more than a tenth of its rows. */
  readonly force?: boolean
  /** Matches works by title if no id matches. */
  readonly matchTitles?: boolean
  onProgress?(lines: number, stage: Stage): void
  onConflict?(conflict: Conflict): void
  /** Called with the copy, the database attached as `live`, if no line had a problem. False: do not apply. */
  examine?(copy: Database, lines: number): boolean
  /** Skips the check: the file is known to be good, and there is no catalogue to conflict with. */
  readonly isTrusted?: boolean
  /** A row to write to `instance` at the end. */
  readonly loaded?: { readonly name: string; readonly value: string }
}
