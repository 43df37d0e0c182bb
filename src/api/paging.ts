import Type, { type TSchema } from 'typebox'
import type { PageRange } from '../paging/query-plan'
import { integerUpTo, positiveInteger } from '../values/number'
import { param, withDefault } from './params'

export const pagingParams = {
  page: withDefault(param(positiveInteger, 'Which page', 1), 1),
  per_page: withDefault(param(integerUpTo(50), 'How many per page', 25), 25),
}

export interface PageParams {
  readonly page: number
  readonly perPage: number
}

export const pageOf = ({ page, per_page }: { page: number; per_page: number }): PageParams => ({
  page,
  perPage: per_page,
})

export const rangeOf = ({ page, perPage }: PageParams): PageRange => ({
  offset: (page - 1) * perPage,
  limit: perPage,
})

/** D15. Both neighbours are pages with rows, or null (D8). */
export function pagingFields({ page, perPage }: PageParams, total_count: number) {
  const last = Math.ceil(total_count / perPage)
  return {
    total_count,
    next_page: page < last ? page + 1 : null,
    prev_page: Math.min(page - 1, last) || null,
  }
}

export const envelope = (key: string, item: TSchema) =>
  Type.Object({
    [key]: Type.Array(item),
    total_count: Type.Integer({ description: 'Number of items on all pages', examples: [60] }),
    next_page: nullable(
      Type.Integer({ description: 'Number of the next page; null on the last page', examples: [3] }),
    ),
    prev_page: nullable(
      Type.Integer({ description: 'Number of the previous page; null on the first page', examples: [1] }),
    ),
  })

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
