import type { ImportReport } from '../../catalogue/import/report'

/** A field of a work before and after the run; blank fields are ''. */
export interface WorkChange {
  readonly workId: number
  readonly title: string
  /** A column of works, or `ids.` and a namespace. */
  readonly field: string
  readonly old: string
  readonly new: string
  /** The source of the old value; '' if there was none. */
  readonly owner: string
}

/** Values of a field that were not imported, because a source of higher priority owns it. */
export interface LeftAlone {
  /** A line's type and field, such as `work.title`. */
  readonly field: string
  readonly owner: string
  readonly count: number
}

/** Plain data, stored with the run. */
export interface RunReport {
  readonly import: ImportReport
  readonly changes: readonly WorkChange[]
  readonly changesCount: number
  readonly leftAlone: readonly LeftAlone[]
}
