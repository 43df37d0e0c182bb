import type { Database } from 'bun:sqlite'

export interface IdRange {
  readonly from: number
  readonly to: number
}

/** Inclusive ranges that take about 20 ms each. The last one is open-ended, for rows inserted meanwhile. */
export function* idRanges(handle: Database, table: string, key = 'id'): Generator<IdRange> {
  const next = handle.query<{ last: number | null; n: number }, [number, number]>(
    `select max(${key}) as last, count(*) as n from (select ${key} from ${table} where ${key} >= ? order by ${key} limit ?)`,
  )
  let rows = 500
  for (let from = 0; ; ) {
    const { last, n } = next.all(from, rows)[0] ?? { last: null, n: 0 }
    const isLast = last === null || n < rows
    const began = performance.now()
    yield { from, to: isLast ? Number.MAX_SAFE_INTEGER : last }
    if (isLast) return
    rows = adapted(rows, performance.now() - began)
    from = last + 1
  }
}

function adapted(rows: number, milliseconds: number): number {
  if (milliseconds > 30) return Math.ceil(rows / 2)
  return milliseconds < 10 ? Math.min(rows * 2, 100_000) : rows
}
