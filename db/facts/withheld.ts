/** Rows that no list shows while something they refer to is hidden. Their column `withheld` says so, for the lists' indexes. */
export interface Withheld {
  readonly table: string
  /** The tables that it refers to, by its columns. */
  readonly refersTo: Readonly<Record<string, string>>
}

export const withheld: readonly Withheld[] = [
  { table: 'casts', refersTo: { person_id: 'people', character_id: 'characters' } },
  { table: 'staffs', refersTo: { person_id: 'people', organization_id: 'organizations' } },
]

/** What the column should be, as SQL about a row of the table, which may go by another name. */
export function withheldTruth({ table, refersTo }: Withheld, row = table): string {
  const hidden = Object.entries(refersTo).map(
    ([column, other]) => `exists (select 1 from ${other} where id = ${row}.${column} and hidden <> 0)`,
  )
  return `(${hidden.join('\n    or ')})`
}
