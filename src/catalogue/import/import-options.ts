/** What an import is doing. */
export type Stage = 'judging' | 'applying'

/** How a file is imported. */
export interface ImportOptions {
  /** The time now, in epoch milliseconds. */
  readonly now: number
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean
  /** The name of the source instead of the one the file gives. */
  readonly source?: string
  /** Lets a snapshot hide more than a tenth of what it listed before. */
  readonly force?: boolean
  /** Recognizes works by title where no id does. */
  readonly matchTitles?: boolean
  /** Told now and then how many lines were judged, and then how many were applied. */
  onProgress?(lines: number, stage: Stage): void
  /** The file is known to be in order and there is no catalogue that it could contradict: it is applied without judging. */
  readonly isTrusted?: boolean
  /** A row of `instance` to write with the last of what is applied. */
  readonly loaded?: { readonly name: string; readonly value: string }
}
