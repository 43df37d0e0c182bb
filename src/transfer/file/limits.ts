const MiB = 1024 * 1024

/** What a file of somebody's list may hold. Sizes are in bytes. */
export const limits = {
  upload: 32 * MiB,
  /** Unpacked, of a member of an archive or of a compressed file. */
  member: 64 * MiB,
  /** Unpacked, of all members. */
  members: 256 * MiB,
  memberCount: 10_000,
  rows: 200_000,
  plays: 500_000,
  /** Of a history that is read whole before its first title is told. */
  titles: 40_000,
  /** What stands beside the entries and is kept for them: anime and their ids at other sites. */
  included: 60_000,
  jsonDepth: 64,
  /** Characters of a string, a cell or an element. */
  text: MiB,
  /** Tokens of a JSON value that is read whole, or texts of an XML element. */
  entry: 200_000,
  columns: 1000,
  /** Characters of all texts that are kept until the entries are read to which they belong. */
  joined: 8 * MiB,
} as const
