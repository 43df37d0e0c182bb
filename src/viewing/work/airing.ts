import { sql } from 'kysely'
import type { BroadcastRule } from '../../catalogue/estimate/broadcast-rule'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import { airingOf } from '../../library/progress/airing'
import type { ShownWork } from './find-work'

/** When episodes were first broadcast, by their ids, in epoch milliseconds. */
export async function firstStarts(read: Read, work: number): Promise<ReadonlyMap<number, number>> {
  const rows = await starts(read, { work })
  return new Map(rows.map(({ episode_id, at }) => [episode_id, at]))
}

type Dates = BroadcastRule & Pick<ShownWork, 'season_year' | 'season'>

/** Whether the episode at an index has been broadcast: as listed, otherwise according to the work's dates. */
export function hasAired(
  work: Dates,
  { start, place, now }: { readonly start: number | undefined; readonly place: number; readonly now: number },
): boolean {
  const unlisted = { started_at: null, program_estimated: null, channel: null }
  const at = start ?? airingOf({ ...work, ...unlisted, position: place })?.at
  return (at ?? seasonBegin(work)) <= now
}

function seasonBegin({ season_year, season }: Dates): number {
  return season_year === null ? 0 : Date.UTC(season_year, firstMonths[season ?? 'winter'] ?? 0)
}

const firstMonths: Readonly<Record<string, number>> = { winter: 0, spring: 3, summer: 6, autumn: 9 }

// uses programs_work, which has all columns
const starts = prepared((read, slot: SlotOf<{ work: number }>) =>
  read
    .selectFrom('programs')
    .select([sql<number>`episode_id`.as('episode_id'), sql<number>`min(started_at)`.as('at')])
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .where('episode_id', 'is not', null)
    .groupBy('episode_id'),
)

/** Where and when an episode can be watched: the user's channels first, then by time. */
export const broadcastsOf = prepared((read, slot: SlotOf<{ user: number; episode: number }>) =>
  read
    .selectFrom('programs')
    .innerJoin('channels', 'channels.id', 'programs.channel_id')
    .select(['programs.started_at', 'programs.estimated as program_estimated', 'channels.name as channel'])
    // uses programs_episode
    .where('programs.episode_id', '=', slot('episode'))
    .where('programs.hidden', '=', 0)
    .where('channels.hidden', '=', 0)
    .orderBy(
      sql`exists (select 1 from user_channels where user_channels.user_id = ${slot('user')}
        and user_channels.channel_id = programs.channel_id)`,
      'desc',
    )
    .orderBy('programs.is_rebroadcast')
    .orderBy('programs.started_at')
    .limit(1),
)
