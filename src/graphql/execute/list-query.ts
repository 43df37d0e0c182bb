import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { type Bindable, preparedSql } from '../../db/prepared'
import type { Args, List, Order } from '../declare/field'

interface FoundIds {
  readonly parent: number
  /** A JSON array in the order of the list. */
  readonly ids: string
}

export interface PlannedList {
  readonly run: (read: Read, values: Record<string, Bindable>) => Promise<readonly FoundIds[]>
  /** Values of the filters. */
  readonly values: Readonly<Record<string, Bindable>>
}

/** Throws for arguments that break a rule. */
export function planList(list: List, args: Args): PlannedList {
  const given = Object.entries(list.filters ?? {}).filter(([name]) => (args[name] ?? null) !== null)
  const bound = given.map(([name, filter]) => [name, filter.bind(args[name] as never)] as const)
  const applied = bound.filter((pair): pair is [string, Bindable] => pair[1] !== undefined)
  const values = Object.fromEntries(applied)
  const names = Object.keys(values)
  const { field, direction } = (args.orderBy ?? {}) as { field?: string; direction?: string }
  const key = [field, direction, ...names].join()
  const known = queries.get(list) ?? new Map<string, PlannedList['run']>()
  queries.set(list, known)
  const run = known.get(key) ?? compile(list, names, orderSql(list, field, direction))
  known.set(key, run)
  return { run, values }
}

/** One query per order and set of filters of a list, about 900 in all. */
const queries = new WeakMap<List, Map<string, PlannedList['run']>>()

function compile(list: List, names: readonly string[], order: RawBuilder<unknown>): PlannedList['run'] {
  const parent = sql.ref<number>('parents.value')
  return preparedSql((slot) => {
    const viewer = slot('viewer') as RawBuilder<number>
    const conditions = [
      ...(list.parent === undefined ? [] : [sql`${list.parent} = ${parent}`]),
      ...(list.where === undefined ? [] : [list.where(viewer)]),
      ...names.flatMap((name) => list.filters?.[name]?.where(slot(name) as never) ?? []),
    ]
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
    return sql`select parents.value as parent, (
      select json_group_array(id) from (
        select ${list.id} as id from ${list.from} ${where} ${order} limit ${slot('limit')} offset ${slot('offset')})
      ) as ids from json_each(${slot('parents')}) as parents`
  })
}

function orderSql(list: List, field: string | undefined, direction: string | undefined): RawBuilder<unknown> {
  const ties = list.ties ?? list.id
  const order: Order | undefined = field === undefined ? list.order : list.orders?.[field]
  if (order === undefined) return sql`order by ${ties}`
  const descends = direction === 'DESC' ? sql` desc` : sql``
  const nulls = order.nullsLast ? sql`${order.by} is null, ` : sql``
  return sql`order by ${nulls}${order.by}${descends}, ${ties}`
}
