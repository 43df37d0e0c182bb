import { sql } from 'kysely'
import { survivor } from '../catalogue/survivors'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { Write } from '../db/write'
import { notFound } from '../http/errors'
import { seriesSource } from '../transfer/match/choices'
import { seriesKeys } from '../transfer/match/said-play'
import { waitingWith } from './inbox'

/** A choice for a series and season. */
export interface TaughtSeries {
  /** Of one of its keys. */
  readonly id: number
  /** The series as a player says it: a title without its spaces, else `tmdb:200`. */
  readonly series: string
  readonly season: number | null
  readonly workId: number
  /** Added to the player's numbers. */
  readonly episodeOffset: number
}

/** Newest first, one for all keys of a series and season. */
export async function listTaught(read: Read, userId: number): Promise<readonly TaughtSeries[]> {
  const rows = await taught(read, { user: userId, source: seriesSource })
  return rows.map(({ key, ...row }) => {
    const [, site = '', name = '', season] = /^(\w+):(.*?)(?:#\w+)?(?:\/season\/(\d+))?$/.exec(key) ?? []
    return {
      ...row,
      series: site === 'title' ? name : `${site}:${name}`,
      season: season === undefined ? null : Number(season),
    }
  })
}

interface TaughtRow extends Pick<TaughtSeries, 'id' | 'workId' | 'episodeOffset'> {
  readonly key: string
}

const mostShown = 200

/** `/season/2`; '' for a series without seasons. */
const seasonOf = sql<string>`iif(instr(list_choices.source_id, '/season/') > 0,
  substr(list_choices.source_id, instr(list_choices.source_id, '/season/')), '')`

// uses the unique index of list_choices; keys of titles come after those of sites
const taught = preparedSql<TaughtRow, { user: number; source: string }>(
  (slot) => sql`
    select max(list_choices.id) as id, max(list_choices.source_id) as key, works.id as workId,
      episode_offset as episodeOffset
    from list_choices join works on works.id = ${survivor('works', sql.ref('list_choices.work_id'))}
    where user_id = ${slot('user')} and source = ${slot('source')} and works.hidden = 0
    group by works.id, episode_offset, ifnull(act_id, 0), ${seasonOf}
    order by 1 desc limit ${sql.lit(mostShown)}`,
)

/** Forgets the choice under all its keys; what it recorded stays. Throws not_found, also for somebody else's. */
export async function forgetTaught({ write }: { write: Write }, userId: number, id: number): Promise<void> {
  await write(async (tx) => {
    const one = await tx
      .selectFrom('list_choices')
      .select(['work_id', 'episode_offset', 'act_id', 'source_id'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('source', '=', seriesSource)
      .executeTakeFirst()
    if (one === undefined) throw notFound('The choice')
    const [, season = ''] = /(\/season\/\d+)$/.exec(one.source_id) ?? []
    await tx
      .deleteFrom('list_choices')
      .where('user_id', '=', userId)
      .where('source', '=', seriesSource)
      .where('work_id', '=', one.work_id)
      .where('episode_offset', '=', one.episode_offset)
      .where('act_id', 'is', one.act_id)
      .where(seasonOf, '=', season)
      .execute()
  })
}

/** Nothing of the series is recorded any more, in whatever season; what waits is ignored. Throws not_found. */
export async function leaveOut({ write }: { write: Write }, userId: number, id: number): Promise<void> {
  await write(async (tx) => {
    const deliveries = await waitingWith(tx, userId, id)
    const [{ plays: [said] = [] } = { plays: [] }] = deliveries
    if (said === undefined) throw notFound('The series')
    for (const series_key of seriesKeys(said))
      await tx
        .insertInto('left_out_series')
        .values({ user_id: userId, series_key, title: said.titles[0] ?? '' })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const keys = JSON.stringify(deliveries.map((delivery) => delivery.id))
    await sql`update deliveries set result = 'ignored', reason = 'left_out', proposals = '[]'
      where id in (select value from json_each(${keys}))`.execute(tx)
  })
}

export interface LeftOutSeries {
  /** Of one of its keys. */
  readonly id: number
  readonly title: string
}

/** By title, one for all keys of a series. */
export const listLeftOut = async (read: Read, userId: number): Promise<readonly LeftOutSeries[]> =>
  await leftOut(read, { user: userId })

// uses the unique index of left_out_series
const leftOut = preparedSql<LeftOutSeries, { user: number }>(
  (slot) => sql`
    select min(id) as id, title from left_out_series where user_id = ${slot('user')}
    group by title order by title limit ${sql.lit(mostShown)}`,
)

/** What it plays from now on is recorded or waits again. Throws not_found, also for somebody else's. */
export async function takeIn({ write }: { write: Write }, userId: number, id: number): Promise<void> {
  const gone = await write((tx) =>
    tx
      .deleteFrom('left_out_series')
      .where('user_id', '=', userId)
      .where('title', '=', (eb) =>
        eb.selectFrom('left_out_series').select('title').where('id', '=', id).where('user_id', '=', userId),
      )
      .returning('id')
      .execute(),
  )
  if (gone.length === 0) throw notFound('The series')
}
