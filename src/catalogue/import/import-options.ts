import type { Database } from 'bun:sqlite'
import type { KindName } from './kinds/field'

export type Stage = 'judging' | 'applying'

/** A value that was not taken, because the source `owner` has a higher priority. */
export interface Conflict {
  readonly kind: KindName
  /** A column, or `ids.` with a namespace. */
  readonly field: string
  readonly owner: number
}

export interface ImportOptions {
  /** Epoch milliseconds. */
  readonly now: number
  readonly dryRun?: boolean
  /** Overrides the source named in the file. */
  readonly source?: string
  /** Lets a snapshot hide more than a tenth of its rows. */
  readonly force?: boolean
  /** Matches works by title where no id does. */
  readonly matchTitles?: boolean
  onProgress?(lines: number, stage: Stage): void
  onConflict?(conflict: Conflict): void
  /** Is given the copy after all lines without a problem, with the database beside it as `live`. False: not applied. */
  examine?(copy: Database, lines: number): boolean
  /** Skips judging: the file is known to be good and there is no catalogue to conflict with. */
  readonly isTrusted?: boolean
  /** A row of `instance` to write at the end. */
  readonly loaded?: { readonly name: string; readonly value: string }
}
