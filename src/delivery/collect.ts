import { type RawBuilder, sql } from 'kysely'
import { isByNobodyApart, isNamedIn, noticeKindOf } from '../accounts/account/unread'
import { hasNotEnded } from '../accounts/sign-in/session'
import { isSeen } from '../db/guard/audience'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { itemOf, type NewsRow, onlyEpisodeOf } from './news-item'
import { enqueue } from './queue'
import { quietOf } from './quiet'

type CollectingDeps = Pick<Deps, 'readBare' | 'write' | 'now' | 'config' | 'metrics'>

/** A record may be taken back for so long before anybody hears of it. */
const recordMs = 60_000
const atOnce = 500

/** Name the ids of the last rows that were queued. */
const marks = { notification: 'notifications_queued', record: 'records_queued' } as const

/**
 * Puts what people are told here, and what they recorded, into the queue of each destination that wants it (D85). Its mark
 * moves in the same commit: nothing is queued twice.
 */
export async function collectNews(deps: CollectingDeps): Promise<void> {
  const { readBare, now } = deps
  if ((await anyDestination(readBare, {})).length === 0) return
  await collect(deps, {
    mark: marks.notification,
    upTo: (after) => lastNotification(readBare, { after }),
    rows: (after, last) => newsOf(readBare, { after, last, now: now() }),
  })
  await collect(deps, {
    mark: marks.record,
    upTo: (after) => lastRecord(readBare, { after, before: now() - recordMs, now: now() }),
    rows: (after, last) => recordedNews(readBare, { after, last, now: now() }),
  })
}

const anyDestination = preparedSql<{ id: number }, Record<never, never>>(
  () => sql`select id from destinations where is_on = 1 limit 1`,
)

interface NewsSource {
  readonly mark: string
  upTo(after: number): Promise<readonly { last: number | null }[]>
  rows(after: number, last: number): Promise<readonly NewsRow[]>
}

async function collect(deps: CollectingDeps, source: NewsSource): Promise<void> {
  for (;;) {
    const after = await markOf(deps.readBare, source.mark)
    const last = (await source.upTo(after))[0]?.last ?? after
    if (last <= after) return
    const news = await source.rows(after, last)
    const at = deps.now()
    const dropped = await deps.write(async (tx) => {
      let count = 0
      for (const row of news) count += await enqueue(tx, newsIn(row, deps.config.baseUrl), at)
      await setMark(tx, source.mark, last)
      return count
    })
    deps.metrics?.count('kiroku_outgoing_total', { state: 'dropped' }, dropped)
    if (last - after < atOnce) return
  }
}

/** Before the first destination: what happened so far is no news to anybody. Nothing before another. */
export async function beginQueue(tx: Tx): Promise<void> {
  const on = await tx.selectFrom('destinations').select('id').where('is_on', '=', 1).limit(1).execute()
  if (on.length > 0) return
  const { rows } = await sql<{ notification: number | null; record: number | null }>`
    select (select max(id) from notifications) as notification, (select max(id) from records) as record`.execute(
    tx,
  )
  await setMark(tx, marks.notification, rows[0]?.notification ?? 0)
  await setMark(tx, marks.record, rows[0]?.record ?? 0)
}

async function markOf(read: Read, name: string): Promise<number> {
  const [row] = await markRow(read, { name })
  return Number(row?.value ?? 0)
}

const markRow = preparedSql<{ value: string }, { name: string }>(
  (slot) => sql`select value from instance where name = ${slot('name')}`,
)

const setMark = (tx: Tx, name: string, id: number) =>
  tx
    .insertInto('instance')
    .values({ name, value: String(id) })
    .onConflict((row) => row.doUpdateSet({ value: String(id) }))
    .execute()

const lastNotification = preparedSql<{ last: number | null }, { after: number }>(
  (slot) => sql`
    select max(id) as last from (
      select id from notifications where id > ${slot('after')} order by id limit ${sql.lit(atOnce)})`,
)

/** Ids follow the time: whatever comes after one that is too young waits as well. */
const lastRecord = preparedSql<{ last: number | null }, { after: number; before: number; now: number }>(
  (slot) => sql`
    with next as materialized (
      select id, created_at from records where id > ${slot('after')} order by id limit ${sql.lit(atOnce)})
    select max(id) as last from next where id < ifnull((
      select min(id) from next where created_at > ${slot('before')} and created_at <= ${slot('now')}), 1e18)`,
)

/** `now`: epoch milliseconds. */
type Span = { after: number; last: number; now: number }

interface NewsChoice {
  readonly action: RawBuilder<string>
  /** Of which the `events` of a destination must have one. */
  readonly words: readonly RawBuilder<string>[]
  readonly now: RawBuilder<number>
}

/** Of what happened since a destination was made. A browser is told as long as its session lasts. */
const newsFrom = (
  rows: RawBuilder<unknown>,
  what: RawBuilder<string>,
  { action, words, now }: NewsChoice,
) => sql<NewsRow>`
    select u.id as user, d.id as destination, ${what} as kind, ${action} as action, actor.name as actor,
      u.language, u.title_language, u.time_zone, u.quiet_from, u.quiet_to,
      works.id as work_id, works.title, works.title_en, works.title_ro,
      episodes.id as episode_id, episodes.number, episodes.number_text,
      not exists (select 1 from episodes as e where e.work_id = episodes.work_id and e.number = episodes.number
        and e.id <> episodes.id and e.hidden = 0) as is_only,
      n.began_at, channels.name as channel, programs.estimated, meetings.id as meeting_id, n.meeting_step, meetings.begins_at
    from ${rows} as n
      cross join users as u on u.id = n.user_id and u.disabled_at is null
      cross join destinations as d on d.user_id = u.id and d.is_on = 1 and n.created_at >= d.created_at
        and (${sql.join(
          words.map((word) => isNamedIn(sql.ref('d.events'), word)),
          sql` or `,
        )})
        and (d.session_id is null
          or exists (select 1 from sessions where sessions.id = d.session_id and ${hasNotEnded(now)}))
      left join users as actor on actor.id = n.actor_id
      left join meetings on meetings.id = n.meeting_id
      left join episodes on episodes.id = ifnull(n.episode_id, ${onlyEpisodeOf(sql.ref('n.meeting_id'))}) and episodes.hidden = 0
      left join works on works.id = ifnull(episodes.work_id, meetings.work_id) and works.hidden = 0
      left join programs on programs.id = (
        select p.id from programs as p where p.episode_id = n.episode_id and p.started_at = n.began_at and p.hidden = 0
        order by p.id limit 1)
      left join channels on channels.id = programs.channel_id and channels.hidden = 0
    where u.id not in (select user_id from deletions)`

const whatIsTold = sql<string>`iif(n.kind = 'episode', 'episode', 'notification')`

const newsOf = preparedSql<NewsRow, Span>((slot) =>
  newsFrom(
    sql`(
      select * from notifications where id > ${slot('after')} and id <= ${slot('last')} and read_at is null
        and ${isByNobodyApart(sql.ref('notifications.user_id'))}
        and ${isAboutSeen('comments', 'comment_id')} and ${isAboutSeen('meetings', 'meeting_id')})`,
    whatIsTold,
    { action: sql`n.kind`, words: [whatIsTold, noticeKindOf(sql`n.kind`)], now: slot('now') },
  ),
)

/** Whether who is told may still see what it is about: this reads for everybody at once. */
const isAboutSeen = (table: 'comments' | 'meetings', column: 'comment_id' | 'meeting_id') => {
  const seen = isSeen(table, 'about', { id: 'notifications.user_id', isCrowd: '0' })
  return sql`(${sql.ref(column)} is null or exists (
    select 1 from ${sql.table(table)} as about where about.id = notifications.${sql.ref(column)} and ${sql.raw(seen)}))`
}

/** What came with an import, was marked private or is the past is no news. */
const recordedNews = preparedSql<NewsRow, Span>((slot) =>
  newsFrom(
    sql`(
      select id, user_id, episode_id, created_at, null as actor_id, null as began_at, null as meeting_id, null as meeting_step from records
      where id > ${slot('after')} and id <= ${slot('last')} and private = 0 and watched_at_precision <> 'none'
        and not exists (
          select 1 from changes where changes.user_id = records.user_id and changes.work_id = records.work_id
            and table_name = 'records' and import_id is not null and records.id between row_id and last_id))`,
    sql`'record'`,
    { action: sql`'record'`, words: [sql`'record'`], now: slot('now') },
  ),
)

function newsIn(row: NewsRow, baseUrl: string) {
  const { user, destination, kind } = row
  return { user, destination, kind, quiet: quietOf(row), item: itemOf(row, baseUrl) }
}
