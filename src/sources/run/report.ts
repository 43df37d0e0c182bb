import type { ImportReport } from '../../catalogue/import/report'

/** A field of a work as it was and as it is after the run; blank fields are ''. */
export interface Change {
  readonly workId: number
  readonly title: string
  /** A column of works, or `ids.` with a namespace. */
  readonly field: string
  readonly old: string
  readonly new: string
  /** The source that the old value was from; '' where there was none. */
  readonly owner: string
}

/** Values of a field that were not taken, because a source of a higher rank owns it. */
export interface LeftAlone {
  /** A type of line and its field, such as `work.title`. */
  readonly field: string
  readonly owner: string
  readonly count: number
}

/** Plain data: kept with the run. */
export interface RunReport {
  readonly import: ImportReport
  readonly changes: readonly Change[]
  readonly changesCount: number
  readonly leftAlone: readonly LeftAlone[]
}
