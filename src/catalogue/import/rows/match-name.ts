import type { Line } from '../file/line'
import type { Cell } from '../kinds/cells'
import { placeOf } from '../kinds/field'
import type { Run } from '../run'
import { isNamedKind, isSpelled } from './named-rows'

/**
 * The only row with the same name, if the line or that row is known by its name alone. A character is
 * searched for in the casts of the work that its key names.
 */
export function byName({ names, keys }: Run, { kind, key = '' }: Line, cells: readonly Cell[]): number[] {
  if (!isNamedKind(kind.name)) return []
  const name = String(cells[placeOf(kind, 'name')])
  const spelled = names.spelled(kind.name, name)
  if (!isSpelled(key, name)) {
    const only = spelled.length === 0 || kind.name === 'character' ? undefined : names.only(kind.name, name)
    return only !== undefined && spelled.includes(only) ? [only] : []
  }
  if (kind.name !== 'character') return listOf(names.only(kind.name, name))
  const work = keys.refer('work', key.slice(0, -name.length - 1))
  return work === undefined ? [] : listOf(names.character(work, name))
}

const listOf = (id: number | undefined) => (id === undefined ? [] : [id])
