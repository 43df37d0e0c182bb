import type { Database } from 'bun:sqlite'

/** Throws an error that says what is wrong with a copy: reads every page and compares indexes and references. */
export function refuseUnsound(copy: Database): void {
  const damage = copy.query<{ integrity_check: string }, []>('pragma integrity_check(1)').all()
  if (damage[0]?.integrity_check !== 'ok') throw new Error('its integrity check failed')
  if (copy.query('select 1 from pragma_foreign_key_check limit 1').all().length > 0)
    throw new Error('its foreign keys do not hold')
}

/** Rows per table, without virtual tables and the ones behind them. */
export function countRows(handle: Database): Record<string, number> {
  const tables = handle
    .query<{ name: string }, []>(
      "select name from pragma_table_list where schema = 'main' and type = 'table' order by name",
    )
    .all()
    .map(({ name }) => name)
  const count = (name: string) =>
    handle.query<{ n: number }, []>(`select count(*) as n from "${name}"`).all()[0]?.n
  return Object.fromEntries(tables.map((name) => [name, count(name) ?? 0]))
}
