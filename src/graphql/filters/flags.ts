import { sql } from 'kysely'
import type { ListFilter } from '../declare/field'

/** Rows with a text, or those without it; `column` is 1 for rows with one. */
export const hasText = (column: string): ListFilter => ({
  type: 'Boolean',
  bind: (has: boolean) => Number(has),
  where: (slot) => sql`${sql.ref(column)} = ${slot}`,
})
