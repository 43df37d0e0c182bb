import { sql } from 'kysely'
import { type MergeableTable, survivors } from '../../catalogue/survivors'
import type { ListFilter } from '../declare/field'
import { checkIds } from './rules'

/** Ids of merged rows stand for the rows they were merged into (D67). */
export const annictIds = (table: MergeableTable): ListFilter => ({
  type: '[Int!]',
  bind: (ids: readonly number[]) => {
    checkIds('annictIds', ids)
    return JSON.stringify(ids)
  },
  where: (slot) => sql`${sql.ref(`${table}.id`)} in ${survivors(table, slot)}`,
})
