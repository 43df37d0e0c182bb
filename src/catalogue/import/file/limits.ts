/** Limits that keep a small file from blocking imports (decompression bombs). */
export interface FileLimits {
  /** Includes blank lines. */
  readonly lines: number
  readonly lineBytes: number
  readonly bytes: number
  /** Highest ratio of unpacked to packed size, for files above `ratioFrom` bytes. */
  readonly ratio: number
  readonly ratioFrom: number
}

// The largest known catalogue has 234,000 lines and 36 MB; JSON Lines shrink to a fifth, rarely to less than a fiftieth.
export const fileLimits: FileLimits = {
  lines: 2_000_000,
  lineBytes: 1_048_576,
  bytes: 1_073_741_824,
  ratio: 200,
  ratioFrom: 16_777_216,
}

export const limits = {
  /** Namespaces in the `ids` of one line. */
  ids: 50,
  aliases: 500,
  search_names: 500,
  search_readings: 50,
  series: 100,
  streams: 200,
  preserveIds: 20,
  episodesOfWork: 5000,
  /** Keys and ids of one row, including those of rows merged into it. */
  names: 100,
  /** Merged rows in one file; each costs as much as about ten lines. */
  merges: 20_000,
  /** Titles of one work besides its own, after merges. */
  aliasesOfWork: 1000,
  warnings: 100,
  /** After this many problems, the rest of the file is skipped. */
  problems: 10_000,
  message: 500,
} as const
