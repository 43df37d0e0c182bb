import type { Read } from '../../db/open'
import type { Row } from '../row'
import { matchInGroup } from './by-series'
import { type Choices, chosenWork, entryIdOf } from './choices'
import type { Match } from './match'
import { matched } from './results'
import { groupsOfWorks } from './series-group'
import { shifted } from './spread'

/** Matches the work that the user chose for the row before; undefined if there is no choice. */
export async function matchByChoice(
  read: Read,
  row: Row,
  choices: Choices,
): Promise<readonly Match[] | undefined> {
  const chosen =
    (await chosenWork(read, choices, entryIdOf(row))) ?? (await chosenWork(read, choices, row.sourceId))
  if (chosen === undefined) return undefined
  const seasons = new Set(row.plays?.map((play) => play.season))
  const [group] = seasons.size > 1 ? await groupsOfWorks(read, [chosen.work]) : []
  if (group !== undefined) return await matchInGroup(read, row, { group, way: 'choice', choices })
  return [matched({ work: chosen.work, row: shifted(row, chosen.offset) }, 'choice')]
}
