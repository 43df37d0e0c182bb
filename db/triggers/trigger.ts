export type Side = 'old' | 'new'

export const sqlAbout = (row: string, sql: string) => sql.replaceAll(/\brow\./g, `${row}.`)

export const columnsOf = (...sql: string[]): readonly string[] =>
  sql.flatMap((text) => [...text.matchAll(/\brow\.(\w+)/g)].map(([, column = '']) => column))

/** The condition that an update changes one of these expressions about `row`. */
export const isChanged = (...sql: string[]) =>
  oneOrMoreLines(
    [...new Set(sql)].map((text) => `${side('old', text)} is not ${side('new', text)}`),
    ' or',
  )

const side = (row: Side, sql: string) =>
  /^row\.\w+$/.test(sql) ? sqlAbout(row, sql) : `(${sqlAbout(row, sql)})`

/** Breaks lines if the text is longer than 90 characters. */
export function oneOrMoreLines(texts: readonly string[], between: ',' | ' and' | ' or'): string {
  const line = texts.join(`${between} `)
  if (line.length <= 90) return line
  return texts.join(between === ',' ? ',\n    ' : `\n   ${between} `)
}

export const trigger = (name: string, event: string, ...statements: string[]) =>
  `create trigger ${name} ${event} begin\n${statements.map((text) => `  ${text};\n`).join('')}end;\n`

/** The event of an update that changes one of these expressions about `row`. */
export const updateOf = (table: string, ...sql: string[]) =>
  `after update of ${[...new Set(columnsOf(...sql))].join(', ')} on ${table}\nwhen ${isChanged(...sql)}`

export const groupsOf = <T>(rows: readonly T[], by: (row: T) => string): readonly (readonly T[])[] =>
  Object.values(Object.groupBy(rows, by)).flatMap((group) => (group === undefined ? [] : [group]))
