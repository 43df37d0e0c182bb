import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { survivor } from '../../catalogue/survivors'
import { prepared, type SlotOf } from '../../db/prepared'
import { isoTime } from '../../lib/time'
import { currentLap } from '../../library/laps'

/** A shown episode of a shown work, also found by a merged id (D67), with what the sheet shows about it. */
export const episodeToRecord = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('episodes')
    .innerJoin('works', 'works.id', 'episodes.work_id')
    .select(['episodes.id', 'episodes.work_id', 'episodes.number', 'number_text'])
    .select('episodes.title as episode_title')
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .select(coverColumns(slot('user')))
    .select([airedAt.as('aired_at'), earlier(slot).as('earlier'), recorded(slot).as('recorded')])
    .select(
      sql<number>`(select private_by_default from users where users.id = ${slot('user')})`.as(
        'private_by_default',
      ),
    )
    .where('episodes.id', '=', survivor('episodes', slot('id')))
    .where('episodes.hidden', '=', 0)
    .where('works.hidden', '=', 0),
)

/** When it was first broadcast, in epoch milliseconds. */
const airedAt = sql<number | null>`(
  select min(started_at) from programs where programs.episode_id = episodes.id and programs.hidden = 0)`

/** How many episodes before it are neither recorded nor skipped in the current lap: "up to here" records them. */
const earlier = (slot: SlotOf<{ user: number }>) => sql<number>`(
  select count(*) from episodes as e
  where e.work_id = episodes.work_id and e.hidden = 0
    and (e.sort_number, e.id) < (episodes.sort_number, episodes.id)
    and not exists (select 1 from records
      where user_id = ${slot('user')} and records.episode_id = e.id and records.lap = ${lap(slot)})
    and not exists (select 1 from skips
      where user_id = ${slot('user')} and skips.episode_id = e.id and skips.lap = ${lap(slot)}))`

const recorded = (slot: SlotOf<{ user: number }>) => sql<number>`(
  select count(*) from records where user_id = ${slot('user')} and records.episode_id = episodes.id
    and records.lap = ${lap(slot)})`

const lap = (slot: SlotOf<{ user: number }>) => currentLap(slot('user'), sql.ref('works.id'))

/** The date in Japan of a broadcast; until 5 in the morning it is that of the evening before. */
export const broadcastDate = (at: number): string => isoTime(at + 4 * 3_600_000).slice(0, 10)
