/** The lists of `ranks` that count the rows of a table, all of them or split by whether they have text. */
export const flagged =
  (table: string, filter: string, text: string) =>
  (asked: Readonly<Record<string, unknown>>, filters: readonly string[]): readonly string[] | undefined => {
    if (filters.length === 0) return [table]
    if (filters.length > 1 || filters[0] !== filter) return undefined
    return [`${table}${asked[filter] === true ? '+' : '-'}${text}`]
  }

/** Sorting by likes: most rows have none. */
export const byLikes = { what: 'number of likes', column: 'likes_count', least: 0 } as const
