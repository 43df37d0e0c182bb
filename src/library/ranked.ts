import type { ListQuery } from '../paging/query-plan'

/** The entries of `row_counts` for rows that have the text, lack it, or both. */
export const countedByFlag =
  (table: string, filter: string, text: string) =>
  (query: ListQuery, filters: readonly string[]): readonly string[] | undefined => {
    const halves = { with: `${table}+${text}`, without: `${table}-${text}` }
    if (filters.length === 0) return Object.values(halves)
    if (filters.length > 1 || filters[0] !== filter) return undefined
    return [query[filter] === true ? halves.with : halves.without]
  }

/** Most rows have no likes. */
export const byLikes = { what: 'number of likes', column: 'likes_count', least: 0 } as const
