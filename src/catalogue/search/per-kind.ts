import type { RawBuilder } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql, type SlotOf } from '../../db/prepared'
import type { SearchKind } from './texts'

type Query<R, V> = (read: Read, values: V) => Promise<readonly R[]>

/** One query for each kind, made at first use. */
export function perKind<R, V extends Record<string, string | number>>(
  build: (kind: SearchKind, slot: SlotOf<V>) => RawBuilder<R>,
): (kind: SearchKind) => Query<R, V> {
  const made = new Map<SearchKind, Query<R, V>>()
  return (kind) => {
    const query = made.get(kind) ?? preparedSql<R, V>((slot) => build(kind, slot))
    made.set(kind, query)
    return query
  }
}
