import { sql } from 'kysely'
import { matches, searchTerm } from '../../catalogue/search/contains'
import type { SearchKind } from '../../catalogue/search/texts'
import type { ListFilter } from '../declare/field'
import { textsGiven } from './rules'

/** Rows that contain any of the texts (D17). */
export const anyText = (table: SearchKind, name: string): ListFilter => ({
  type: '[String!]',
  bind: (texts: readonly string[]) =>
    textsGiven(name, texts)
      ?.map((text) => `(${searchTerm(text)})`)
      .join(' OR '),
  where: (slot) => sql`${matches(table, slot)}`,
})
