import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { MeetingAnswer } from '../../social/meetings/meetings'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import type { EpisodeNumber } from '../parts/episode-name'

export type MeetingView = Awaited<ReturnType<typeof findMeeting>>

/** A date as its reader sees it; times are epoch milliseconds. Throws the 404 page for what they may not see (D79). */
export async function findMeeting({ deps, session }: MemberVisit, id: number) {
  const user = session.userId
  const [meeting] = await meetingRow(deps.seen, { id, user })
  if (meeting === undefined) throw pageNotFound()
  const episodes = await episodesOf(deps.seen, { id, user })
  const people = await companionsOf(deps.seen, { id })
  const own = people.find(({ user_id }) => user_id === user)
  return { ...meeting, episodes, people, own, isHost: meeting.user_id === user }
}

const meetingRow = prepared((read: Read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('meetings')
    .innerJoin('users', 'users.id', 'meetings.user_id')
    .innerJoin('works', 'works.id', 'meetings.work_id')
    .select(['meetings.id', 'meetings.user_id', 'users.username', 'work_id', 'begins_at', 'location', 'body'])
    .select(['is_open', 'done_at', 'cancelled_at', 'works.title', 'works.title_en', 'works.title_ro'])
    .select(['works.season_year', 'works.season', 'works.media', 'works.episodes_count', 'works.hidden'])
    .select(coverColumns(slot('user')))
    .select([
      sql<number>`(select count(*) from comments where comments.meeting_id = meetings.id)`.as(
        'comments_count',
      ),
      sql<number>`(select count(*) from comments where comments.meeting_id = meetings.id
        and comments.created_at > ifnull(meetings.done_at, 9e15))`.as('later_count'),
      sql<number | null>`(select id from meetings as next where next.after_id = meetings.id)`.as('next_id'),
    ])
    .where('meetings.id', '=', slot('id')),
)

export interface MeetingEpisode extends EpisodeNumber {
  readonly id: number
  readonly work_id: number
  readonly is_only: number
  /** 1 if the reader has recorded it. */
  readonly is_recorded: number
}

/** In list order, of one date. */
export const episodesOf = prepared((read: Read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('meeting_episodes')
    .innerJoin('episodes', 'episodes.id', 'episode_id')
    .select(['episodes.id', 'episodes.work_id', 'number', 'number_text', isOnlyOfItsNumber.as('is_only')])
    .select(
      // uses records_user_episode
      sql<number>`exists (select 1 from records
        where records.user_id = ${slot('user')} and records.episode_id = episodes.id)`.as('is_recorded'),
    )
    .where('meeting_id', '=', slot('id'))
    .orderBy('sort_number')
    .orderBy('episodes.id'),
)

export interface Companion {
  readonly user_id: number
  readonly username: string
  readonly avatar_url: string
  readonly answer: MeetingAnswer | null
  readonly marks_too: number
  /** 1 if it was recorded with the others, and still is. */
  readonly is_marked: number
  /** Of the last episode that they have recorded, as far as the reader sees that. */
  readonly number: string | null
  readonly number_text: string | null
  /** 1 if they have not come to the episode before the first one. */
  readonly is_behind: number
}

/** Those who come first, then maybe, not answered yet, and out; the host before the others. */
const companionsOf = preparedSql<Companion, { id: number }>(
  (slot) => sql`
    with first as (
      select meetings.user_id as host, episodes.work_id, min(sort_number) as sort_number
      from meetings join meeting_episodes on meeting_id = meetings.id join episodes on episodes.id = episode_id
      where meetings.id = ${slot('id')}),
    seen as (
      select meeting_people.*, users.username, users.avatar_url, (
        select episodes.id from records join episodes on episodes.id = records.episode_id
        where records.user_id = meeting_people.user_id and records.work_id = first.work_id
        order by sort_number desc, episodes.id desc limit 1) as last_id,
        (select max(sort_number) from episodes as before where before.work_id = first.work_id
          and before.hidden = 0 and before.sort_number < first.sort_number) as before, host
      from meeting_people join users on users.id = meeting_people.user_id cross join first
      where meeting_id = ${slot('id')} and users.disabled_at is null)
    select user_id, username, avatar_url, answer, marks_too, number, number_text,
      exists (select 1 from activities where activities.id = activity_id) as is_marked,
      before is not null and ifnull(sort_number, -1) < before as is_behind
    from seen left join episodes on episodes.id = last_id
    order by case answer when 'in' then 0 when 'maybe' then 1 when 'out' then 3 else 2 end,
      user_id <> host, ifnull(answered_at, 9e15), user_id`,
)

export interface UpcomingMeeting {
  readonly id: number
  readonly work_id: number
  readonly begins_at: number
  readonly answer: MeetingAnswer | null
  readonly title: string
  readonly title_en: string
  readonly title_ro: string
}

/** Of somebody who has not said no: what is to come, and what began in the last 12 hours and nobody has called watched. */
export const meetingsToCome = preparedSql<UpcomingMeeting, { user: number; from: number }>(
  (slot) => sql`
    select meetings.id, work_id, begins_at, answer, title, title_en, title_ro
    from meeting_people join meetings on meetings.id = meeting_id join works on works.id = work_id
    where meeting_people.user_id = ${slot('user')} and ifnull(answer, '') <> 'out'
      and begins_at > ${slot('from')} and done_at is null and cancelled_at is null
    order by begins_at, meetings.id limit 5`,
)

/** To come, of a work, as far as the reader may come. Uses meetings_work. */
export const meetingsOfWork = preparedSql<
  { id: number; begins_at: number; username: string },
  { work: number; now: number }
>(
  (slot) => sql`
    select meetings.id, begins_at, username from meetings join users on users.id = meetings.user_id
    where work_id = ${slot('work')} and begins_at > ${slot('now')} and cancelled_at is null and users.disabled_at is null
    order by begins_at, meetings.id limit 20`,
)
