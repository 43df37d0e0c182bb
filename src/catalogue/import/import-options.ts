export type Stage = 'judging' | 'applying'

export interface ImportOptions {
  /** Epoch milliseconds. */
  readonly now: number
  /** Judges only. */
  readonly dryRun?: boolean
  /** Overrides the source named in the file. */
  readonly source?: string
  /** Lets a snapshot hide more than a tenth of its rows. */
  readonly force?: boolean
  /** Matches works by title where no id does. */
  readonly matchTitles?: boolean
  onProgress?(lines: number, stage: Stage): void
  /** Skips judging: the file is known to be good and there is no catalogue to conflict with. */
  readonly isTrusted?: boolean
  /** A row of `instance` to write at the end. */
  readonly loaded?: { readonly name: string; readonly value: string }
}
