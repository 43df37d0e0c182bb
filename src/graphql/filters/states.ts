import { sql } from 'kysely'
import type { ListFilter } from '../declare/field'

/** Rows with a status of this kind, or of any of these. */
export const state: ListFilter = {
  type: 'StatusState',
  bind: (one: string) => one.toLowerCase(),
  where: (slot) => sql`statuses.kind = ${slot}`,
}

export const states: ListFilter = {
  type: '[StatusState!]',
  // D112: an empty list is "any", as in Annict.
  bind: (some: readonly string[]) =>
    some.length === 0 ? undefined : JSON.stringify(some.map((one) => one.toLowerCase())),
  where: (slot) => sql`statuses.kind in (select value from json_each(${slot}))`,
}
