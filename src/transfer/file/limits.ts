const MiB = 1024 * 1024

/** What a file of somebody's list may hold (imports.md §4). Sizes are in bytes. */
export const limits = {
  upload: 32 * MiB,
  /** Unpacked, of a member of an archive or of a compressed file. */
  member: 64 * MiB,
  /** Unpacked, of all members that are read. */
  members: 256 * MiB,
  memberCount: 10_000,
  rows: 200_000,
  plays: 500_000,
  jsonDepth: 64,
  /** Of a string, a cell or the text of an element. */
  text: MiB,
} as const
