import type { Deps } from '../../deps'
import type { ImportOptions, RowState } from '../plan/planned-row'
import type { ListSource } from '../sources'
import type { Sums } from './rows/counts'

export const importStates = [
  'reading',
  'preview',
  'applying',
  'applied',
  'undoing',
  'undone',
  'failed',
  'expired',
] as const
export type ImportState = (typeof importStates)[number]

/** A list that a user imports. Times are epoch milliseconds. */
export interface ListImport extends ImportOptions {
  readonly id: number
  readonly source: ListSource
  readonly fileName: string
  readonly state: ImportState
  readonly isPart: boolean
  readonly counts: Readonly<Record<RowState, number>>
  /** Rows that change anything, all in the states `new` and `conflict`. */
  readonly changing: number
  /** Rows to be checked that `acceptsProbable` would accept. */
  readonly probable: number
  readonly sums: Sums
  /** Lists of the file, and its favorites. */
  readonly lists: readonly ComingList[]
  readonly progress: { readonly done: number; readonly total: number }
  /** Others are before it in the queue. */
  readonly isWaiting: boolean
  readonly asks: readonly Ask[]
  readonly error: string | null
  /** What an undo left unchanged: the first hundred. */
  readonly left: readonly Left[]
  readonly createdAt: number
  readonly appliedAt: number | null
  readonly undoneAt: number | null
}

/** What becomes of a list of the file. */
export interface ComingList {
  /** `favorites` for those. */
  readonly name: string
  /** Works in the file, how many of them are known here, and how many it gains here. */
  readonly works: number
  readonly known: number
  readonly gains: number
  /** There is none of its name here. */
  readonly isNew: boolean
  readonly isLeftOut: boolean
  /** The most that one may have are here: some stay out. */
  readonly isFull: boolean
  /** Titles of works that are not known: the first three. */
  readonly missing: readonly string[]
}

export const askNames = ['score_format', 'user', 'time_zone', 'include_private', 'complete_watched'] as const

/** A question that the file leaves open. `score_format` and `user` must be answered before applying. */
export interface Ask {
  readonly name: (typeof askNames)[number]
  readonly options: readonly string[]
}

export const leftKinds = [
  ...(['record', 'review', 'status', 'episode', 'lap', 'skip', 'note'] as const),
  ...(['list', 'list_work', 'favorite'] as const),
] as const

/** For a status, a note or a favorite, `id` is that of its work. A list has the work 0. */
export interface Left {
  readonly kind: (typeof leftKinds)[number]
  readonly id: number
  readonly workId: number
  readonly why: 'changed' | 'used'
}

/** Commands have no log. */
export type ImportDeps = Pick<Deps, 'read' | 'warmRead' | 'readBeside' | 'write' | 'now'> &
  Partial<Pick<Deps, 'log'>>
