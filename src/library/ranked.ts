import type { ListQuery } from '../paging/query-plan'

/** The lists of `row_counts` that count a table's rows: those with text and those without, or one of the two. */
export const flagged =
  (table: string, filter: string, text: string) =>
  (query: ListQuery, filters: readonly string[]): readonly string[] | undefined => {
    const halves = { with: `${table}+${text}`, without: `${table}-${text}` }
    if (filters.length === 0) return Object.values(halves)
    if (filters.length > 1 || filters[0] !== filter) return undefined
    return [query[filter] === true ? halves.with : halves.without]
  }

/** Sorting by likes: most rows have none. */
export const byLikes = { what: 'number of likes', column: 'likes_count', least: 0 } as const
