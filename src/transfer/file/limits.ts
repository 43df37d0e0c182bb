const MiB = 1024 * 1024

/** Limits of an imported file. Sizes are in bytes. */
export const limits = {
  upload: 32 * MiB,
  /** Of an unpacked member of an archive, or an unpacked file. */
  member: 64 * MiB,
  /** Of all unpacked members. */
  members: 256 * MiB,
  memberCount: 10_000,
  rows: 200_000,
  plays: 500_000,
  /** In a history, which is read completely before its first title is yielded. */
  titles: 40_000,
  /** Items kept for the entries that refer to them: anime and their ids at other sites. */
  included: 60_000,
  jsonDepth: 64,
  /** Characters of a string, a cell or an element. */
  text: MiB,
  /** Tokens of a JSON value that is read as a whole, or texts of an XML element. */
  entry: 200_000,
  columns: 1000,
  /** Of a table whose columns somebody has to name. */
  table: 4 * MiB,
  /** Characters of all texts kept until the entries they belong to are read. */
  joined: 8 * MiB,
} as const
