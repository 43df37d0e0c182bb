import { type RawBuilder, sql } from 'kysely'
import { type Filter, filter, idsFilter, ownId, rankedFilter } from '../api/list-declaration'
import { idParam, idsParam, textParam } from '../api/param-kinds'
import type { Param } from '../api/params'
import type { FilterForm, ShownTable } from '../paging/paged-list'
import { matchesEach, matchesOf, searchTerm } from './search/contains'
import { findRows } from './search/find'
import type { SearchKind } from './search/texts'
import { refersToShown } from './shown'
import { isMergeable, type MergeableTable, survivor, survivors } from './survivors'

/** Ids of merged rows stand for the rows they were merged into (D67). */
export function byIds<T extends ShownTable>(table: T): Filter<T> {
  const [param, column] = [idsParam('Only items with these ids'), ownId(table)]
  return isMergeable(table)
    ? namingAny(table, param, column)
    : { ...idsFilter(param, column), isNaming: true }
}

/** Filters by ids in a column; ids of merged rows stand for the rows they were merged into (D67). */
export const namingAny = <T extends ShownTable>(
  named: MergeableTable,
  param: Param<readonly number[]>,
  column: (form: FilterForm) => RawBuilder<number>,
): Filter<T> => idsFilter(param, column, (ids) => survivors(named, ids))

export const byWork = <T extends ShownTable>(table: T, description = 'Only items of this work'): Filter<T> =>
  filter(
    idParam(description, 10079),
    (work) => ({ work }),
    // uses the indexes `… (work_id, …)`
    (_, slot) => sql`${sql.ref(`${table}.work_id`)} = ${survivor('works', slot('work'))}`,
  )

/** A substring filter on names or titles (D17) that narrows rows found in another way. */
export const narrowedByText = <T extends ShownTable & SearchKind>(table: T, description: string): Filter<T> =>
  filter(
    textParam(description, 'フリーレン'),
    (sought) => ({ grams: searchTerm(sought) }),
    (_, slot, form) => matchesEach(table, ownId(table)(form), slot('grams')),
  )

/** The same, but finds the visible rows by itself. */
export const byText = <T extends ShownTable & SearchKind>(table: T, description: string): Filter<T> => ({
  ...narrowedByText(table, description),
  rowids: (slot) => matchesOf(table, slot('grams'), (id) => refersToShown(id, table)),
})

export const byQuery = <T extends ShownTable & SearchKind>(
  table: T,
  what: string,
  example: string,
): Filter<T> =>
  rankedFilter(table, what, example, (read, query, isRanked) => findRows(read, table, query, isRanked))

export const byName = <T extends ShownTable & SearchKind>(table: T): Filter<T> =>
  byText(table, 'Only items whose name contains this text')

export const byId = { what: 'id', column: 'id' } as const
export const bySortNumber = { what: 'sort_number', column: 'sort_number' } as const
