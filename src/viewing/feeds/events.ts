import { sql } from 'kysely'
import type { CalendarFeed } from '../../accounts/calendar-feeds'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { cancelledShowings } from '../../library/showings/cancelled'
import { trackedIds } from '../../library/showings/queries'
import { type KnownShowings, keyOf, type Showing, showingsOf } from '../../library/showings/showings'
import { type Language, languages, messagesIn } from '../../messages/languages'
import { chosenTitle, type Titles } from '../../pages/title'
import { titleLanguages } from '../../values/preferences'
import { shortEpisodeName } from '../parts/episode-name'

/** One event an episode, as calendars see it. Times are epoch milliseconds. */
export interface FeedEvent {
  /** The same whatever channel or source it has: `episode-2001`. */
  readonly key: string
  readonly at: number
  /** `YYYY-MM-DD`, of what has a date only. */
  readonly date: string | undefined
  readonly summary: string
  readonly channel: string | undefined
  /** Below the base URL. */
  readonly path: string
  readonly state: 'confirmed' | 'tentative' | 'cancelled'
  readonly changedAt: number
}

const day = 86_400_000
export const daysBack = 28
const daysAhead = 60
const mostEvents = 500
const cancelledFor = 14 * day

/** The events of a feed, earliest first; the oldest are left out where there are more than 500. */
export async function feedEvents(read: Read, feed: CalendarFeed, now: number): Promise<readonly FeedEvent[]> {
  const user = feed.user_id
  const span = { from: now - daysBack * day, until: now + daysAhead * day }
  const ids = (await trackedIds(read, { user })).map(({ id }) => id)
  const showings = await showingsOf(read, { user, works: ids, now, ...span })
  const gone = await cancelledShowings(read, { user, works: ids, since: now - cancelledFor, ...span })
  const rows = await feedWorks(read, { works: JSON.stringify(ids) })
  const works = new Map(rows.map((work) => [work.id, work]))
  const shown = showings.shown.filter((one) => isWanted(feed, showings, one))
  const changes = await changesOf(read, { user, shown })
  const events = [
    ...shown.flatMap((one) => eventOf(feed, works.get(one.workId), one, changes)),
    ...withoutShown(gone, shown).flatMap((one) => cancelledEvent(feed, works.get(one.workId), one)),
    ...rows.flatMap((work) => releaseEvent(feed, work, { showings, ...span })),
    ...(await meetingsIn(read, { user, since: now - cancelledFor, ...span })).map((one) =>
      meetingEvent(feed, one),
    ),
  ]
  return events.sort((one, other) => one.at - other.at || (one.key < other.key ? -1 : 1)).slice(-mostEvents)
}

/** Of planned works the first episode only. */
function isWanted({ wanted, with_rule }: CalendarFeed, { works }: KnownShowings, one: Showing): boolean {
  if (one.kind === 'rule' && with_rule === 0) return false
  return works.get(one.workId)?.kind === 'watching' || (wanted === 1 && one.isFirst)
}

interface FeedWork extends Titles {
  readonly id: number
  readonly no_episodes: number
  readonly released_on: string
}

const feedWorks = preparedSql<FeedWork, { works: string }>(
  (slot) => sql`
    select works.id, title, title_en, title_ro, no_episodes, released_on
    from json_each(${slot('works')}) as asked join works on works.id = asked.value`,
)

/** When what an event shows last changed, by episode and by work. */
interface Changes {
  readonly episodes: ReadonlyMap<number, number>
  readonly works: ReadonlyMap<number, number>
}

async function changesOf(
  read: Read,
  { user, shown }: { readonly user: number; readonly shown: readonly Showing[] },
): Promise<Changes> {
  const episodes = shown.flatMap(({ episode }) => episode?.id ?? [])
  const programs = await changedPrograms(read, { episodes: JSON.stringify(episodes) })
  const slots = await changedSlots(read, { user })
  return {
    episodes: new Map(programs.map(({ id, at }) => [id, at])),
    works: new Map(slots.map(({ id, at }) => [id, at])),
  }
}

/** Also of hidden ones: what comes back is newer than what was taken off. Uses programs_episode. */
const changedPrograms = preparedSql<{ id: number; at: number }, { episodes: string }>(
  (slot) => sql`
    select value as id, ifnull((select max(changed_at) from programs where episode_id = value), 0) as at
    from json_each(${slot('episodes')})`,
)

const changedSlots = preparedSql<{ id: number; at: number }, { user: number }>(
  (slot) => sql`select work_id as id, changed_at as at from own_slots where user_id = ${slot('user')}`,
)

function eventOf(
  feed: CalendarFeed,
  work: FeedWork | undefined,
  one: Showing,
  changes: Changes,
): readonly FeedEvent[] {
  if (work === undefined) return []
  const changed = [changes.episodes.get(one.episode?.id ?? 0) ?? 0, changes.works.get(work.id) ?? 0]
  return [
    {
      ...{ key: one.episode === undefined ? minuteKey(one) : keyOf(one), at: one.at, date: undefined },
      ...{ summary: summaryOf(feed, work, one), channel: one.channel?.name },
      ...{ path: pathOf(one), state: one.kind === 'rule' ? 'tentative' : 'confirmed' },
      changedAt: Math.max(feed.changed_at, ...changed),
    },
  ]
}

/** `work-10079-20261119T1430Z` */
const minuteKey = ({ workId, at }: Showing) =>
  `work-${workId}-${new Date(at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '')}Z`

const pathOf = ({ workId, episode }: Pick<Showing, 'workId' | 'episode'>) =>
  episode === undefined ? `/works/${workId}` : `/works/${workId}/episodes/id-${episode.id}`

type Cancelled = Awaited<ReturnType<typeof cancelledShowings>>[number]

const withoutShown = (gone: readonly Cancelled[], shown: readonly Showing[]) => {
  const keys = new Set(shown.map(keyOf))
  return [...new Map(gone.map((one) => [keyOf(one), one])).values()].filter((one) => !keys.has(keyOf(one)))
}

function cancelledEvent(
  feed: CalendarFeed,
  work: FeedWork | undefined,
  one: Cancelled,
): readonly FeedEvent[] {
  if (work === undefined) return []
  return [
    {
      ...{ key: keyOf(one), at: one.at, date: undefined, summary: summaryOf(feed, work, one) },
      ...{ channel: undefined, path: pathOf(one), state: 'cancelled' },
      changedAt: Math.max(feed.changed_at, one.changedAt),
    },
  ]
}

/** A film of which only the date is known. */
function releaseEvent(
  feed: CalendarFeed,
  work: FeedWork,
  { showings, from, until }: { showings: KnownShowings; from: number; until: number },
): readonly FeedEvent[] {
  const { id, released_on: date } = work
  const at = Date.parse(`${date}T00:00:00Z`)
  const isMine = showings.works.get(id)?.kind === 'watching' || feed.wanted === 1
  if (work.no_episodes !== 1 || Number.isNaN(at) || at < from || at >= until || !isMine) return []
  return [
    {
      ...{ key: `film-${id}`, at, date, summary: titleOf(feed, work), channel: undefined },
      ...{ path: `/works/${id}`, state: 'confirmed', changedAt: feed.changed_at },
    },
  ]
}

interface FeedMeeting extends Titles {
  readonly id: number
  readonly begins_at: number
  readonly location: string
  readonly cancelled_at: number | null
  readonly changed_at: number
  readonly number: string | null
  readonly number_text: string
}

/** Dates to watch together to which this person said yes (D79), with their first episode. Uses meeting_people_user. */
const meetingsIn = preparedSql<FeedMeeting, { user: number; since: number; from: number; until: number }>(
  (slot) => sql`
    select meetings.id, begins_at, location, cancelled_at, max(changed_at, ifnull(answered_at, 0)) as changed_at,
      works.title, works.title_en, works.title_ro, number, ifnull(number_text, '') as number_text
    from meeting_people join meetings on meetings.id = meeting_id join works on works.id = meetings.work_id
      left join episodes on episodes.id = (
        select e.id from meeting_episodes join episodes as e on e.id = episode_id
        where meeting_episodes.meeting_id = meetings.id order by sort_number, e.id limit 1)
    where meeting_people.user_id = ${slot('user')} and answer = 'in'
      and begins_at >= ${slot('from')} and begins_at < ${slot('until')}
      and (cancelled_at is null or cancelled_at >= ${slot('since')})
    order by begins_at limit ${sql.lit(mostEvents)}`,
)

function meetingEvent(feed: CalendarFeed, meeting: FeedMeeting): FeedEvent {
  const { id, begins_at, location, cancelled_at, changed_at } = meeting
  const language = languageOf(feed)
  const named = { t: messagesIn(language), language }
  const summary = `${titleOf(feed, meeting)} ${shortEpisodeName(named, meeting)} (${named.t.meeting.link})`
  return {
    ...{ key: `meeting-${id}`, at: begins_at, date: undefined, summary },
    ...{ channel: location === '' ? undefined : location, path: `/meetings/${id}` },
    state: cancelled_at === null ? 'confirmed' : 'cancelled',
    changedAt: Math.max(feed.changed_at, changed_at),
  }
}

function titleOf({ title_language }: CalendarFeed, work: Titles): string {
  const titleLanguage = titleLanguages.find((one) => one === title_language) ?? 'native'
  return chosenTitle({ preferences: { titleLanguage } }, work).text
}

/** Title and number; the episode's title only without the spoiler guard. */
function summaryOf(feed: CalendarFeed, work: FeedWork, { episode }: Pick<Showing, 'episode'>): string {
  const language = languageOf(feed)
  const named = { t: messagesIn(language), language }
  if (episode === undefined) return titleOf(feed, work)
  const title = feed.guards_spoilers === 0 ? episode.title : ''
  return [titleOf(feed, work), shortEpisodeName(named, episode), title]
    .filter((part) => part !== '')
    .join(' ')
}

export const languageOf = ({ language }: Pick<CalendarFeed, 'language'>): Language =>
  languages.find((one) => one === language) ?? 'ja'
