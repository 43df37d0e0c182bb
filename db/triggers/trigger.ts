/** Which row of a trigger SQL is about. */
export type Side = 'old' | 'new'

/** SQL about `row`, said about another row. */
export const about = (row: string, sql: string) => sql.replaceAll(/\brow\./g, `${row}.`)

/** The columns of `row` that SQL reads. */
export const columnsOf = (...sql: string[]): readonly string[] =>
  sql.flatMap((text) => [...text.matchAll(/\brow\.(\w+)/g)].map(([, column = '']) => column))

/** That one of these expressions about `row` is another after a change. */
export const changes = (...sql: string[]) =>
  oneOrMoreLines(
    [...new Set(sql)].map((text) => `${side('old', text)} is not ${side('new', text)}`),
    ' or',
  )

const side = (row: Side, sql: string) => (/^row\.\w+$/.test(sql) ? about(row, sql) : `(${about(row, sql)})`)

/** Conditions, or columns that are set, each on a line of its own where they are too long for one. */
export function oneOrMoreLines(texts: readonly string[], between: ',' | ' and' | ' or'): string {
  const line = texts.join(`${between} `)
  if (line.length <= 90) return line
  return texts.join(between === ',' ? ',\n    ' : `\n   ${between} `)
}

/** `create trigger`: `event` is its time, table and condition. */
export const trigger = (name: string, event: string, ...statements: string[]) =>
  `create trigger ${name} ${event} begin\n${statements.map((text) => `  ${text};\n`).join('')}end;\n`

/** The event of an update of what `sql` reads of `row`, where that changes it. */
export const updateOf = (table: string, ...sql: string[]) =>
  `after update of ${[...new Set(columnsOf(...sql))].join(', ')} on ${table}\nwhen ${changes(...sql)}`

/** The rows grouped by a text about them. */
export const groupsOf = <T>(rows: readonly T[], by: (row: T) => string): readonly (readonly T[])[] =>
  Object.values(Object.groupBy(rows, by)).flatMap((group) => (group === undefined ? [] : [group]))
