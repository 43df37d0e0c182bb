import { Database } from 'bun:sqlite'
import { migrate } from '../src/db/migrate'

/** `src/db/schema.ts`: an interface per table of a fresh database, without the migrator's and full-text tables. */
export async function schemaText(): Promise<string> {
  const handle = new Database(':memory:')
  await migrate(handle)
  const tables = handle.query<{ name: string }, []>(tableNames).all()
  const interfaces = tables.map(({ name }) => interfaceOf(handle, name))
  const index = tables.map(({ name }) => `  ${name}: ${typeName(name)}`)
  return [header, ...interfaces, `export interface DB {\n${index.join('\n')}\n}\n`].join('\n')
}

const header = `// Generated from db/migrations by \`bun run schema\`; \`bun run check\` compares it with them.
import type { Generated, GeneratedAlways } from 'kysely'
`

const tableNames = `
  select name from pragma_table_list
  where schema = 'main' and type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'
  order by name`

interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
  /** Values 2 and 3 mean a generated column. */
  hidden: number
}

function interfaceOf(handle: Database, table: string): string {
  const columns = handle.query<Column, [string]>('select * from pragma_table_xinfo(?)').all(table)
  const lines = columns.map((column) => `  ${column.name}: ${columnType(column)}`)
  return `export interface ${typeName(table)} {\n${lines.join('\n')}\n}\n`
}

function columnType({ type, notnull, dflt_value, pk, hidden, name }: Column): string {
  const base = { INTEGER: 'number', TEXT: 'string', BLOB: 'Uint8Array', REAL: 'number' }[type] ?? 'unknown'
  const nullable = notnull === 0 && pk === 0 ? `${base} | null` : base
  if (hidden > 1) return `GeneratedAlways<${nullable}>`
  const filledIn = dflt_value !== null || (pk === 1 && name === 'id')
  return filledIn ? `Generated<${nullable}>` : nullable
}

const typeName = (table: string) =>
  table.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).concat('Table')

if (import.meta.main) await Bun.write('src/db/schema.ts', await schemaText())
