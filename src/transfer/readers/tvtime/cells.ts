import type { Row } from '../../row'
import { countIn, textIn } from '../fields'
import { calledBy } from '../row-parts'

/** Series that share a name are called `Name (Year)`. */
export function seriesOf(name: string, id: string): Row {
  const [, title = '', year] = /^(.*?)(?: \((\d{4})\))?$/.exec(name) ?? []
  return { ...calledBy('tvdb', id), title, year: countIn(year), mayBeOther: true }
}

/** `2023-05-06 12:34:56`, in UTC. */
export function timeIn(cell: string | undefined): number | undefined {
  const at = Date.parse(`${textIn(cell).trim().replace(' ', 'T').replace(/Z?$/, '')}Z`)
  return Number.isNaN(at) ? undefined : at
}
