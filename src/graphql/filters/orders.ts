import { sql } from 'kysely'
import type { Order } from '../declare/field'

type Orders = Readonly<Record<string, Order>>

/** For catalogue rows, whose ids follow the order of creation. */
export const createdById = (table: string): Orders => ({ CREATED_AT: { by: sql.ref(`${table}.id`) } })

export const byPlace = (table: 'casts' | 'episodes' | 'staffs'): Orders => ({
  ...createdById(table),
  SORT_NUMBER: { by: sql.ref(`${table}.sort_number`) },
})

/** D14's sort_season, plus REST's other sorts. */
export const workOrders: Orders = {
  ...createdById('works'),
  SEASON: { by: sql.ref('works.season_rank'), nullsLast: true },
  WATCHERS_COUNT: { by: sql.ref('works.watchers_count') },
}

export const byStart = {
  orders: { STARTED_AT: { by: sql.ref('programs.started_at') } },
  order: { by: sql.ref('programs.started_at') },
}

export const reviewOrders: Orders = {
  CREATED_AT: { by: sql.ref('reviews.created_at') },
  LIKES_COUNT: { by: sql.ref('reviews.likes_count') },
}
