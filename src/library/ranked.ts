import { sql } from 'kysely'
import { type Filter, filter } from '../api/list-declaration'
import { flagParam } from '../api/param-kinds'
import { sharedRows } from '../paging/page-query'

const flags = { records: 'has_comment', reviews: 'has_body' } as const

/** Rows whose text is not blank, or those whose text is. */
export const byHavingText = <T extends 'records' | 'reviews'>(
  table: T,
  column: 'comment' | 'body',
  description: string,
): Filter<T> => {
  const [text, flag] = [sql.ref(`${table}.${column}`), sql.ref(`${table}.${flags[table]}`)]
  const withText = sql`(select count(*) from main.${sql.table(table)} where ${text} <> '' and withheld = 0)`
  return {
    ...filter(
      flagParam(description),
      (has) => ({ has: Number(has) }),
      (_, slot, { part }) => {
        // uses records_commented and reviews_bodied
        if (part === 'with') return sql`${text} <> ''`
        // The unary + keeps SQLite on the index of another filter or of liked rows, which also has the column.
        return sql`+${flag} = ${slot('has')}`
      },
    ),
    parts: (has) => (has === true ? ['with'] : undefined),
    counted: (slot) => sql`iif(${slot('has')}, ${withText}, ${sharedRows(table)} - ${withText})`,
  }
}

/** Most rows have no likes. */
export const byLikes = { what: 'number of likes', column: 'likes_count', least: 0 } as const
