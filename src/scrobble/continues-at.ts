import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import { maxEpisodes } from '../library/next-episode'
import { knownWork } from '../transfer/match/known-work'
import { choiceKeys } from '../transfer/match/said-play'
import type { WaitingSeries } from './inbox'

export interface LikelyNumber {
  readonly number: number
  /** By the day of the broadcast. */
  readonly isEstimated: boolean
}

/**
 * The number in the work at which a season that it does not count apart is likely to begin: after the highest one that was
 * taken in the season before, else by the broadcast. Undefined if neither is known.
 */
export async function continuesAt(
  read: Read,
  userId: number,
  { said, season, reason, proposals: [first] }: WaitingSeries,
): Promise<LikelyNumber | undefined> {
  if (reason !== 'numbering' || season === null || season < 2 || first === undefined) return undefined
  const keys = JSON.stringify(choiceKeys({ ...said, season: season - 1 }))
  const [before] = await lastTaken(read, { user: userId, keys, work: first.work_id })
  if (before?.episode) return inList(before.episode + 1, false)
  const [work] = await knownWork(read, first.work_id)
  const weeks = (Date.parse(said.airDate ?? '') - Date.parse(work?.begins ?? '')) / weekMs
  return work?.begins.length === 10 && weeks >= 0
    ? inList(Math.round(weeks) + 2 - said.episode, true)
    : undefined
}

const weekMs = 7 * 86_400_000

const inList = (number: number, isEstimated: boolean): LikelyNumber | undefined =>
  number >= 1 && number <= maxEpisodes ? { number, isEstimated } : undefined

// uses deliveries_user
const lastTaken = preparedSql<{ episode: number | null }, { user: number; keys: string; work: number }>(
  (slot) => sql`
    select max(episode + json_array_length(report, '$.plays') - 1) as episode from deliveries
    where user_id = ${slot('user')} and work_id = ${slot('work')} and result in ('recorded', 'duplicate')
      and series_key in (select value from json_each(${slot('keys')}))`,
)
