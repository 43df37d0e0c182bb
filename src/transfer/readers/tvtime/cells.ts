import type { Row } from '../../row'
import { countIn, idIn, textIn } from '../fields'

export type Cells = Readonly<Record<string, string | undefined>>

/** `Name (Year)` of series that share a name. */
export function seriesOf(name: string, id: string): Row {
  const [, title = '', year] = /^(.*?)(?: \((\d{4})\))?$/.exec(name) ?? []
  const known = idIn(id)
  return {
    sourceId: id,
    title,
    refs: known === undefined ? [] : [{ site: 'tvdb', id: known }],
    year: countIn(year),
    mayBeOther: true,
  }
}

/** `2023-05-06 12:34:56`, in UTC. */
export function timeIn(cell: string | undefined): number | undefined {
  const at = Date.parse(`${textIn(cell).trim().replace(' ', 'T').replace(/Z?$/, '')}Z`)
  return Number.isNaN(at) ? undefined : at
}
