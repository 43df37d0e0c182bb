/** Rows that no list shows while a row they refer to is hidden. The column `withheld` repeats this for the indexes. */
export interface Withheld {
  readonly table: string
  readonly refersTo: Readonly<Record<string, string>>
}

export const withheld: readonly Withheld[] = [
  { table: 'casts', refersTo: { person_id: 'people', character_id: 'characters' } },
  { table: 'staffs', refersTo: { person_id: 'people', organization_id: 'organizations' } },
]

/** The recomputed value as SQL; `row` is the name of the row. */
export function withheldTruth({ table, refersTo }: Withheld, row = table): string {
  const hidden = Object.entries(refersTo).map(
    ([column, other]) => `exists (select 1 from ${other} where id = ${row}.${column} and hidden <> 0)`,
  )
  return `(${hidden.join('\n    or ')})`
}
