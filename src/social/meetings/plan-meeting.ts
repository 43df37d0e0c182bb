import { sql } from 'kysely'
import { visibleEpisode } from '../../catalogue/lookups'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { areApart } from '../blocks'
import { findOther, seenRow } from '../user-lookup'
import {
  type MeetingAnswer,
  type MeetingDeps,
  MeetingRefused,
  type MeetingTexts,
  mostDates,
  mostEpisodes,
  mostPeople,
  mustBeAhead,
  tell,
} from './meetings'

export interface NewMeeting extends MeetingTexts {
  /** The first of `count` shown episodes of its work. */
  readonly episodeId: number
  readonly count: number
  /** For all members, not only those who are named. */
  readonly isOpen: boolean
  /** Usernames. */
  readonly named: readonly string[]
  /** The date of which it is the same again. */
  readonly afterId?: number
}

/** Returns its id. Those who are named are told. Throws not_found for an episode that is not there, or `MeetingRefused`. */
export async function planMeeting(
  { write, now }: MeetingDeps,
  userId: number,
  planned: NewMeeting,
): Promise<number> {
  return await write((tx) => insertMeeting(tx, { userId, planned, now: now() }))
}

interface Planning {
  readonly userId: number
  readonly planned: NewMeeting
  readonly now: number
}

async function insertMeeting(tx: Tx, { userId, planned, now }: Planning): Promise<number> {
  mustBeAhead(planned.beginsAt, now)
  await mustHaveRoom(tx, userId, now)
  const episodes = await episodesFrom(tx, planned)
  const people = await companionsIn(tx, userId, planned.named)
  const { id } = await tx
    .insertInto('meetings')
    .values({
      ...{ user_id: userId, work_id: episodes.workId, begins_at: planned.beginsAt },
      ...{ location: planned.place, body: planned.text, is_open: Number(planned.isOpen) },
      ...{ after_id: planned.afterId ?? null, created_at: now, changed_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('meeting_episodes')
    .values(episodes.ids.map((episode_id) => ({ meeting_id: id, episode_id })))
    .execute()
  const own = { meeting_id: id, user_id: userId, answer: 'in', answered_at: now }
  const asked = people.map((user_id) => ({ meeting_id: id, user_id, answer: null, answered_at: null }))
  await tx
    .insertInto('meeting_people')
    .values([own, ...asked])
    .execute()
  await tell(tx, { meeting: id, by: userId, step: 'asked', at: now, who: sql`answer is null` })
  return id
}

/** Cancelled ones count until their time, so that nobody is asked again and again. Uses meetings_user. */
async function mustHaveRoom(tx: Tx, userId: number, now: number): Promise<void> {
  const { count } = await tx
    .selectFrom('meetings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('begins_at', '>', now)
    .executeTakeFirstOrThrow()
  if (count >= mostDates) throw new MeetingRefused('dates')
}

/** In list order. Uses episodes_work. */
async function episodesFrom(tx: Tx, { episodeId, count }: Pick<NewMeeting, 'episodeId' | 'count'>) {
  const { id, work_id } = await visibleEpisode(tx, episodeId)
  const rows = await tx
    .selectFrom('episodes')
    .select('id')
    .where('work_id', '=', work_id)
    .where('hidden', '=', 0)
    .where(sql<boolean>`(sort_number, id) >= (select sort_number, id from episodes where id = ${id})`)
    .orderBy('sort_number')
    .orderBy('id')
    .limit(count)
    .execute()
  if (rows.length < count) throw new MeetingRefused('episodes')
  return { workId: work_id, ids: rows.map((row) => row.id) }
}

/** Those who are named, without the host: nobody who is disabled or blocked either way. */
async function companionsIn(tx: Tx, host: number, usernames: readonly string[]): Promise<readonly number[]> {
  const ids = new Set<number>()
  for (const username of usernames) {
    const found = await findOther(tx, username)
    if (found === undefined || found.isDisabled || (await areApart(tx, { user: host, other: found.id })))
      throw new MeetingRefused('nobody', username)
    if (found.id !== host) ids.add(found.id)
  }
  if (ids.size >= mostPeople) throw new MeetingRefused('people')
  return [...ids]
}

/** Which date is the same again, a week later by the wall clock of whoever presses, who is its host; once for each. */
export interface SameAgain {
  readonly id: number
  readonly beginsAt: number
}

/** Returns its id, also if it had been made before. Throws not_found, or `MeetingRefused`. */
export async function sameAgain(
  { write, now }: MeetingDeps,
  userId: number,
  { id, beginsAt }: SameAgain,
): Promise<number> {
  return await write(async (tx) => {
    await seenRow(tx, userId, 'meetings', id)
    const before = await tx
      .selectFrom('meetings')
      .select(['id', 'location', 'body', 'is_open'])
      .where('id', '=', id)
      .where('cancelled_at', 'is', null)
      .executeTakeFirst()
    const people = await companionsOf(tx, id, userId)
    if (before === undefined || !people.some(({ user_id, answer }) => user_id === userId && answer === 'in'))
      throw notFound('The date')
    const made = await tx.selectFrom('meetings').select('id').where('after_id', '=', id).executeTakeFirst()
    if (made !== undefined) return made.id
    const next = await nextEpisodes(tx, id)
    if (next === undefined) throw new MeetingRefused('episodes')
    const named = people.flatMap(({ username, answer, is_there }) =>
      answer !== 'out' && is_there === 1 ? [username] : [],
    )
    const texts = { beginsAt, place: before.location, text: before.body }
    const planned = { ...texts, ...next, isOpen: before.is_open === 1, named, afterId: id }
    return await insertMeeting(tx, { userId, planned, now: now() })
  })
}

/** `is_there`: whether they can be asked by this person. */
async function companionsOf(tx: Tx, id: number, asker: number) {
  const { rows } = await sql<{
    user_id: number
    username: string
    answer: MeetingAnswer | null
    is_there: number
  }>`
    select user_id, username, answer, disabled_at is null and not exists (
        select 1 from blocks where (blocks.user_id = users.id and blocked_id = ${asker})
          or (blocks.user_id = ${asker} and blocked_id = users.id)) as is_there
    from meeting_people join users on users.id = meeting_people.user_id where meeting_id = ${id}`.execute(tx)
  return rows
}

/** As many as before, or as there are; undefined if no episode follows. */
export async function nextEpisodes(
  db: Parameters<typeof following>[0],
  id: number,
): Promise<{ readonly episodeId: number; readonly count: number } | undefined> {
  const rows = await following(db, { id })
  const [first] = rows
  return first && { episodeId: first.id, count: Math.min(first.before, rows.length) }
}

const following = preparedSql<{ id: number; before: number }, { id: number }>(
  (slot) => sql`
    with last as (
      select episodes.work_id, sort_number, episodes.id, count(*) over () as before
      from meeting_episodes join episodes on episodes.id = episode_id where meeting_id = ${slot('id')}
      order by sort_number desc, episodes.id desc limit 1)
    select episodes.id, last.before from last join episodes on episodes.work_id = last.work_id
    where hidden = 0 and (episodes.sort_number, episodes.id) > (last.sort_number, last.id)
    order by episodes.sort_number, episodes.id limit ${sql.lit(mostEpisodes)}`,
)
