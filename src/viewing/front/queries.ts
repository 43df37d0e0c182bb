import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { prepared } from '../../db/prepared'
import { rowCount } from '../../db/row-counts'
import type { Titles } from '../../pages/title'

export const instanceCounts = (read: Read) =>
  read
    .selectNoFrom([
      rowCount('works').as('works'),
      rowCount('episodes').as('episodes'),
      rowCount('users').as('users'),
    ])
    .executeTakeFirstOrThrow()

export interface NextBroadcast extends CoveredWork, Titles {
  readonly started_at: number
  readonly channel: string
  readonly estimated: number
}

/** The first of each work between two times, on any channel, in epoch milliseconds. Uses programs_started. */
export const nextBroadcasts = prepared<NextBroadcast, { from: number; until: number; limit: number }>(
  (read, slot) =>
    read
      .selectFrom('programs')
      .innerJoin('channels', 'channels.id', 'programs.channel_id')
      .innerJoin('works', 'works.id', 'programs.work_id')
      .select(['works.id', 'title', 'title_en', 'title_ro'])
      .select(coverColumns(sql<number>`0`))
      // SQLite takes the other columns from the row with the minimum.
      .select(sql<number>`min(started_at)`.as('started_at'))
      .select(['channels.name as channel', 'programs.estimated'])
      .where('started_at', '>=', slot('from'))
      .where('started_at', '<', slot('until'))
      .where('programs.hidden', '=', 0)
      .where('channels.hidden', '=', 0)
      .where('works.hidden', '=', 0)
      .groupBy('works.id')
      .orderBy('started_at')
      .limit(slot('limit')),
)
