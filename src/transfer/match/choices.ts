import type { Read } from '../../db/open'
import type { ListRow } from '../row'
import { isOfSeries } from './by-id'
import { isOtherById, knownWork } from './known-work'
import { choiceKeys } from './said-play'

/** The source of choices that were made for what players report: they hold for imports too, after their own. */
export const seriesSource = 'series'

export type Choices = ReadonlyMap<string, ChosenWork>

export interface ChosenWork {
  readonly workId: number
  /** Added to the source's episode numbers. */
  readonly episodeOffset: number
}

// uses the unique index of list_choices
export async function choicesOf(
  read: Read,
  userId: number,
  ...sources: readonly [string, ...string[]]
): Promise<Choices> {
  const chosen = await read
    .selectFrom('list_choices')
    .select(['source_id', 'work_id as workId', 'episode_offset as episodeOffset'])
    .where('user_id', '=', userId)
    .where('source', 'in', sources)
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

/** The work chosen for a season of the row's series, for this source or else for what players report. */
export async function chosenForSeason(
  read: Read,
  choices: Choices,
  row: ListRow,
  season: number | undefined,
) {
  const own = await chosenWork(read, choices, sourceIdOf(row, season))
  if (own !== undefined) return own
  const titles = row.title === '' ? [] : [row.title]
  for (const key of choiceKeys({ refs: row.refs, titles, isMovie: false, season })) {
    const chosen = await chosenWork(read, choices, key)
    if (chosen === undefined) continue
    if (!key.startsWith('title:') || !isOtherById(chosen.work, row.refs)) return chosen
  }
  return undefined
}
