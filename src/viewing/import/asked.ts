import { type RowState, rowStates } from '../../transfer/plan/planned-row'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { type ImportVisit, importPath } from './import-visit'

export const pageSize = 50

/** The view requested by the address of an import's page. */
export interface Asked {
  readonly state: RowState | undefined
  readonly page: number
  /** The row opened to choose its work; 0 for none. */
  readonly row: number
  /** The text to search for in the open row. */
  readonly text: string
  readonly acceptsProbable: boolean
}

/** Invalid values are ignored. */
export function askedOf(text: (name: string) => string): Asked {
  return {
    state: rowStates.find((state) => state === text('state')),
    page: readIfValid(positiveInteger, text('page')) ?? 1,
    row: readIfValid(positiveInteger, text('row')) ?? 0,
    text: text('q').trim().slice(0, 100),
    acceptsProbable: text('accept') === 'probable',
  }
}

export function pathOf(id: number, asked: Partial<Asked>): string {
  const sent = new URLSearchParams(fieldsOf(asked))
  const row = asked.row ? `#row-${asked.row}` : ''
  return `${importPath(id)}${sent.size === 0 ? '' : `?${sent}`}${row}`
}

export function fieldsOf({ state, page = 1, row = 0, acceptsProbable }: Partial<Asked>) {
  return {
    ...(state && { state }),
    ...(page > 1 && { page: String(page) }),
    ...(row > 0 && { row: String(row) }),
    ...(acceptsProbable && { accept: 'probable' }),
  }
}

interface Decided {
  readonly id: number
  readonly row: number
  readonly asked: Asked
}

/** Where to go after deciding a row: to the next one of its state or, in the list of all, back to the row. */
export async function nextRowPath(visit: ImportVisit, { id, row, asked }: Decided): Promise<string> {
  const { state, page } = asked
  if (state === undefined) return `${pathOf(id, { ...asked, row: 0 })}#row-${row}`
  const offset = (page - 1) * pageSize
  const { rows } = await visit.lists.rows(visit.session.userId, id, { state, offset, limit: pageSize })
  const next = rows.find(({ number }) => number > row) ?? rows[0]
  return pathOf(id, { ...asked, page: rows.length === 0 ? 1 : page, row: next?.number ?? 0 })
}
