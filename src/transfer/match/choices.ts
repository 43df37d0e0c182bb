import type { Read } from '../../db/open'
import type { ListRow } from '../row'
import { isOfSeries } from './by-id'
import { knownWork } from './known-work'

export type Choices = ReadonlyMap<string, ChosenWork>

export interface ChosenWork {
  readonly workId: number
  /** Added to the source's episode numbers. */
  readonly episodeOffset: number
}

// uses the unique index of list_choices
export async function choicesOf(read: Read, userId: number, source: string): Promise<Choices> {
  const chosen = await read
    .selectFrom('list_choices')
    .select(['source_id', 'work_id as workId', 'episode_offset as episodeOffset'])
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute()
  return new Map(chosen.map(({ source_id, ...choice }) => [source_id, choice]))
}

export const sourceIdOf = ({ sourceId }: ListRow, season: number | undefined): string =>
  sourceId === '' || season === undefined ? sourceId : `${sourceId}/season/${season}`

/** The source's entry that a row is about: its seasons share the series' id. */
export const entryIdOf = (row: ListRow): string => sourceIdOf(row, row.refs.find(isOfSeries)?.season)

/** The work chosen for a row or one of its seasons; undefined if it is no longer shown. */
export async function chosenWork(read: Read, choices: Choices, sourceId: string) {
  const choice = choices.get(sourceId)
  if (choice === undefined) return undefined
  const [work] = await knownWork(read, choice.workId)
  return work && { work, offset: choice.episodeOffset }
}
