import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { slotOccurrences, slotsEndedSince, type TimeSpan } from './own-slot'
import { type EpisodeFacts, episodesAt } from './queries'
import { episodeOf, type ShownEpisode } from './showings'

/** A showing that was taken off, of an episode that has no other. Times are epoch milliseconds. */
export interface CancelledShowing {
  readonly workId: number
  readonly episode: ShownEpisode
  readonly at: number
  readonly changedAt: number
}

interface CancelledQuery extends TimeSpan {
  readonly user: number
  readonly works: readonly number[]
  /** What was taken off before is forgotten. */
  readonly since: number
}

/** Programmes that were hidden and times of one's own that ended, in the span. */
export async function cancelledShowings(
  read: Read,
  query: CancelledQuery,
): Promise<readonly CancelledShowing[]> {
  const { user, from, until, since } = query
  const works = JSON.stringify(query.works)
  const hidden = await hiddenPrograms(read, { user, works, from, until, since })
  const ended = await endedSlots(read, query)
  return [...hidden, ...ended].flatMap((row) => {
    const episode = episodeOf(row)
    return episode === undefined ? [] : [{ ...row, workId: row.work_id, episode }]
  })
}

interface CancelledRow extends EpisodeFacts {
  readonly work_id: number
  readonly at: number
  readonly changedAt: number
}

/** The first of each episode. Uses programs_work_all and programs_episode. */
const hiddenPrograms = preparedSql<
  CancelledRow,
  { user: number; works: string; from: number; until: number; since: number }
>(
  (slot) => sql`
    select p.work_id, min(p.started_at) as at, max(p.changed_at) as changedAt, p.episode_id, episodes.number,
      episodes.number_text, episodes.title as episode_title, 0 as is_only, 0 as recorded
    from json_each(${slot('works')}) as asked
      cross join programs as p on p.work_id = asked.value
      join episodes on episodes.id = p.episode_id and episodes.hidden = 0
    where p.hidden <> 0 and p.changed_at >= ${slot('since')}
      and p.started_at >= ${slot('from')} and p.started_at < ${slot('until')}
      and not exists (select 1 from programs as other where other.episode_id = p.episode_id and other.hidden = 0)
    group by p.episode_id`,
)

async function endedSlots(read: Read, { user, works, from, until, since }: CancelledQuery) {
  const ended = (await slotsEndedSince(read, { user, since })).filter(({ work_id }) =>
    works.includes(work_id),
  )
  const planned = ended.flatMap((slot) =>
    slotOccurrences(slot, { from: Math.max(from, slot.ended_at ?? from), until }, mostEvenings).map(
      ({ k, at }) => ({ slot, at, position: slot.base + k }),
    ),
  )
  if (planned.length === 0) return []
  // Of each work one range: its positions follow each other.
  const ranges = [...Map.groupBy(planned, ({ slot }) => slot.work_id)].map(([work, of]) => [
    ...[work, of[0]?.position ?? 0, of.at(-1)?.position ?? 0],
  ])
  const episodes = await episodesAt(read, { user, ranges: JSON.stringify(ranges) })
  const placed = new Map(episodes.map((row) => [`${row.work_id} ${row.position}`, row]))
  return planned.flatMap(({ slot, at, position }): CancelledRow[] => {
    const row = placed.get(`${slot.work_id} ${position}`)
    return row === undefined ? [] : [{ ...row, at, changedAt: slot.changed_at }]
  })
}

const mostEvenings = 2000
