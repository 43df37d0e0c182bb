import type { Database } from 'bun:sqlite'

/** Columns that only rise, at each change. */
const rising = new Set(['version', 'programs.changed_at', 'own_slots.changed_at'])

/** All rows by table, in the order of their keys. `except`: names of tables, and patterns. */
export function rowsOfEverything(
  handle: Database,
  { except = [] }: { readonly except?: readonly (string | RegExp)[] } = {},
): Record<string, readonly Record<string, unknown>[]> {
  const tables = handle
    .query<{ name: string }, []>(
      "select name from pragma_table_list where schema = 'main' and type = 'table' order by name",
    )
    .all()
    .filter(({ name }) => !except.some((one) => (typeof one === 'string' ? one === name : one.test(name))))
  return Object.fromEntries(
    tables.map(({ name }) => {
      const keys = handle
        .query<{ name: string }, [string]>('select name from pragma_table_info(?) where pk > 0 order by pk')
        .all(name)
        .map((column) => column.name)
      const order = keys.length === 0 ? '1' : keys.join(', ')
      const rows = handle.query<Record<string, unknown>, []>(`select * from ${name} order by ${order}`).all()
      return [
        name,
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).filter(([column]) => !rising.has(column) && !rising.has(`${name}.${column}`)),
          ),
        ),
      ]
    }),
  )
}
