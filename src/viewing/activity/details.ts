import { sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { PicturedUser } from '../../pages/avatar'
import type { Titles } from '../../pages/title'
import type { EpisodeNumber } from '../parts/episode-name'
import { isRecord, type StreamEntry } from './entries'

/** What an entry's sentence names. `hidden`: 1 if the work has no page. */
export interface ToldWork extends Titles, CoveredWork {
  readonly hidden: number
}

export interface ToldPerson extends PicturedUser {
  readonly id: number
  readonly name: string
}

/** The records of an entry as one. `first` to `last` are the numbers of their episodes if all in between are there. */
export interface ToldRecords {
  readonly count: number
  readonly first: number
  readonly last: number
  readonly isRange: number
  /** Of all of them, if they are alike. */
  readonly rating: string | null
  readonly score: number | null
  readonly newest: ToldRecord
  /** The newest one with a comment. */
  readonly commented: ToldRecord | undefined
}

/** A record or a review. `was_seen`: 1 if the reader has watched what it is about. */
export interface ToldText {
  readonly id: number
  readonly text: string
  readonly rating: string | null
  readonly score: number | null
  readonly likes_count: number
  readonly comments_count: number
  readonly liked: number
  readonly was_seen: number
}

export interface ToldRecord extends ToldText, EpisodeNumber {
  readonly episode_id: number
}

export interface ToldReview extends ToldText {
  /** 1 if it is the viewing of a film. */
  readonly is_viewing: number
}

export interface EntryDetails {
  readonly people: ReadonlyMap<number, ToldPerson>
  readonly works: ReadonlyMap<number, ToldWork>
  /** By the entry's newest activity. */
  readonly records: ReadonlyMap<number, ToldRecords>
  readonly reviews: ReadonlyMap<number, ToldReview>
  /** Who watched it together, as far as the reader sees what they recorded: at least two (D79). */
  readonly together: ReadonlyMap<number, readonly ToldPerson[]>
}

/** Covers that an entry about several works shows. */
export const mostCovers = 5

/** `reader`: whose likes, covers and episodes these are. */
export async function detailsOf(
  read: Read,
  entries: readonly StreamEntry[],
  reader: number,
): Promise<EntryDetails> {
  const ids = (some: readonly number[]) => JSON.stringify([...new Set(some)])
  const heads = entries.map(([newest]) => newest)
  const shown = entries.flatMap((entry) => worksOf(entry).slice(0, mostCovers))
  const people = await peopleWith(read, { ids: ids(heads.map(({ user_id }) => user_id)) })
  const works = await worksWith(read, { ids: ids(shown), reader })
  const reviewIds = heads.flatMap(({ review_id }) => review_id ?? [])
  const reviews = await reviewsWith(read, { ids: ids(reviewIds), reader })
  return {
    people: byId(people),
    works: byId(works),
    records: await recordsOf(read, entries, reader),
    reviews: byId(reviews),
    together: await togetherIn(
      read,
      heads.flatMap(({ id, meeting_id }) => (meeting_id === null ? [] : [id])),
    ),
  }
}

async function togetherIn(
  read: Read,
  activities: readonly number[],
): Promise<ReadonlyMap<number, readonly ToldPerson[]>> {
  if (activities.length === 0) return new Map()
  const rows = await companionsWith(read, { ids: JSON.stringify(activities) })
  const groups = Map.groupBy(rows, ({ activity }) => activity)
  return new Map([...groups].filter(([, people]) => people.length > 1))
}

/** By the activity of one of them. Uses meeting_people_activity. */
const companionsWith = preparedSql<ToldPerson & { activity: number }, { ids: string }>(
  (slot) => sql`
  select own.activity_id as activity, users.id, username, avatar_url, iif(name = '', username, name) as name
  from meeting_people as own join meeting_people as other on other.meeting_id = own.meeting_id
    join activities on activities.id = other.activity_id and activities.withheld < 2
    join users on users.id = other.user_id and users.disabled_at is null
  where own.activity_id in (select value from json_each(${slot('ids')}))
  order by other.user_id = own.user_id desc, other.user_id`,
)

/** Newest first. */
export const worksOf = (entry: StreamEntry): readonly number[] => [
  ...new Set(entry.map(({ work_id }) => work_id)),
]

const byId = <R extends { readonly id: number }>(rows: readonly R[]): ReadonlyMap<number, R> =>
  new Map(rows.map((row) => [row.id, row]))

async function recordsOf(
  read: Read,
  entries: readonly StreamEntry[],
  reader: number,
): Promise<ReadonlyMap<number, ToldRecords>> {
  const runs = entries.filter(([newest]) => isRecord(newest))
  const asked = runs.map((run) => [run[0].id, run.map(({ id, record_id }) => [record_id, id])])
  const sums = await runsWith(read, { runs: JSON.stringify(asked) })
  const shown = JSON.stringify(sums.flatMap(({ newest, commented }) => [newest, commented]))
  const texts = byId(await recordsWith(read, { ids: shown, reader }))
  return new Map(
    sums.flatMap(({ run, newest, commented, ...sum }) => {
      const last = texts.get(newest)
      return last === undefined
        ? []
        : [[run, { ...sum, newest: last, commented: texts.get(commented) }] as const]
    }),
  )
}

const idsIn = (ids: unknown) => sql`(select value from json_each(${ids}))`

const peopleWith = preparedSql<ToldPerson, { ids: string }>(
  (slot) => sql`
  select id, username, avatar_url, iif(name = '', username, name) as name from users where id in ${idsIn(slot('ids'))}`,
)

const worksWith = preparedSql<ToldWork, { ids: string; reader: number }>(
  (slot) => sql`
  select works.id, works.title, works.title_en, works.title_ro, works.hidden, ${coverColumnsSql(slot('reader'))}
  from works where works.id in ${idsIn(slot('ids'))}`,
)

interface RunSum extends Pick<ToldRecords, 'count' | 'first' | 'last' | 'isRange' | 'rating' | 'score'> {
  readonly run: number
  readonly newest: number
  /** 0 if none has a comment. */
  readonly commented: number
}

/** `runs`: pairs of an entry and its activities, each with its only record. Uses activity_records' key. */
const runsWith = preparedSql<RunSum, { runs: string }>(
  (slot) => sql`
  select run.value ->> 0 as run, count(*) as count, max(records.id) as newest,
    max(iif(records.has_comment, records.id, 0)) as commented,
    iif(count(rating_state) = count(*) and min(rating_state) = max(rating_state), min(rating_state), null) as rating,
    iif(count(score) = count(*) and min(score) = max(score), min(score), null) as score,
    ifnull(min(cast(number as integer)), 0) as first, ifnull(max(cast(number as integer)), 0) as last,
    count(distinct number) > 1 and count(number) = count(*) and not max(number glob '*[^0-9]*')
      and max(cast(number as integer)) - min(cast(number as integer)) + 1 = count(distinct number) as isRange
  from json_each(${slot('runs')}) as run
    cross join json_each(run.value, '$[1]') as activity
    cross join records on records.id in (
      select activity.value ->> 0
      union all select record_id from activity_records where activity_id = activity.value ->> 1)
    join episodes on episodes.id = records.episode_id
  where records.withheld < 2
  group by run.key`,
)

const recordsWith = preparedSql<ToldRecord, { ids: string; reader: number }>(
  (slot) => sql`
  select records.id, comment as text, rating_state as rating, score, likes_count, comments_count, episode_id, number, number_text,
    exists (select 1 from likes where likes.record_id = records.id and likes.user_id = ${slot('reader')}) as liked,
    records.user_id = ${slot('reader')} or exists (
      select 1 from records as own
      where own.user_id = ${slot('reader')} and own.episode_id = records.episode_id) as was_seen
  from records join episodes on episodes.id = records.episode_id where records.id in ${idsIn(slot('ids'))}`,
)

const reviewsWith = preparedSql<ToldReview, { ids: string; reader: number }>(
  (slot) => sql`
  select reviews.id, body as text, rating_overall_state as rating, score, likes_count, comments_count, watched_at is not null as is_viewing,
    exists (select 1 from likes where likes.review_id = reviews.id and likes.user_id = ${slot('reader')}) as liked,
    reviews.user_id = ${slot('reader')} or exists (
      select 1 from statuses
      where statuses.user_id = ${slot('reader')} and statuses.work_id = reviews.work_id and kind = 'watched') or exists (
      select 1 from reviews as own where own.user_id = ${slot('reader')} and own.work_id = reviews.work_id
        and own.watched_at is not null) as was_seen
  from reviews where reviews.id in ${idsIn(slot('ids'))}`,
)
