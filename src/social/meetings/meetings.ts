import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { notFound } from '../../http/errors'
import { isTold } from '../notify'
import { seenRow } from '../user-lookup'

/** Of one date, its host included. */
export const mostPeople = 30
/** To come, of one host. */
export const mostDates = 20
/** Of one date. */
export const mostEpisodes = 24
/** In code points. */
export const longestPlace = 200
export const longestText = 1000
/** How far ahead, in milliseconds. */
export const farthest = 400 * 86_400_000

export const answers = ['in', 'maybe', 'out'] as const
export type MeetingAnswer = (typeof answers)[number]

/** What a notification of a date says. */
export type MeetingStep = 'asked' | 'moved' | 'cancelled' | 'soon' | 'watched'

/** When and where; `beginsAt` is in epoch milliseconds. */
export interface MeetingTexts {
  readonly beginsAt: number
  readonly place: string
  readonly text: string
}

/** Why a date is not made or changed. `nobody`: one who is named is not there to be asked. */
type WhyNot = 'past' | 'far' | 'dates' | 'people' | 'episodes' | 'nobody'

/** Nothing was written. `username`: whom it is about. */
export class MeetingRefused extends Error {
  constructor(
    readonly why: WhyNot,
    readonly username = '',
  ) {
    super(why)
  }
}

export type MeetingDeps = Pick<Deps, 'write' | 'now'>

/** Throws `MeetingRefused`. */
export function mustBeAhead(beginsAt: number, now: number): void {
  if (beginsAt <= now) throw new MeetingRefused('past')
  if (beginsAt > now + farthest) throw new MeetingRefused('far')
}

/** By its host, until somebody watched it. Those who come are told of another time. Throws not_found. */
export async function changeMeeting(
  { write, now }: MeetingDeps,
  userId: number,
  { id, beginsAt, place, text }: MeetingTexts & { readonly id: number },
): Promise<void> {
  const at = now()
  await write(async (tx) => {
    const { begins_at } = await openMeetingOf(tx, userId, id)
    const isMoved = begins_at !== beginsAt
    if (isMoved) mustBeAhead(beginsAt, at)
    await tx
      .updateTable('meetings')
      .set({
        begins_at: beginsAt,
        location: place,
        body: text,
        changed_at: at,
        ...(isMoved && { reminded_at: null }),
      })
      .where('id', '=', id)
      .execute()
    if (!isMoved) return
    await tx
      .deleteFrom('notifications')
      .where('meeting_id', '=', id)
      .where('meeting_step', 'in', ['soon', 'moved'])
      .execute()
    await tell(tx, { meeting: id, by: userId, step: 'moved', at, who: sql`answer is not 'out'` })
  })
}

/** By its host, until somebody watched it. Throws not_found. */
export async function cancelMeeting({ write, now }: MeetingDeps, userId: number, id: number): Promise<void> {
  const at = now()
  await write(async (tx) => {
    await openMeetingOf(tx, userId, id)
    await tx.updateTable('meetings').set({ cancelled_at: at, changed_at: at }).where('id', '=', id).execute()
    await tell(tx, { meeting: id, by: userId, step: 'cancelled', at, who: sql`answer is not 'out'` })
  })
}

async function openMeetingOf(tx: Tx, userId: number, id: number) {
  const meeting = await tx
    .selectFrom('meetings')
    .select('begins_at')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('done_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst()
  if (meeting === undefined) throw notFound('The date')
  return meeting
}

interface Answering {
  readonly id: number
  readonly answer: MeetingAnswer
  /** Whether it is recorded for them, too, when somebody presses that they watched it. */
  readonly marksToo: boolean
}

/** `full`: 30 people are in it. `closed`: it was cancelled or watched. */
export type AnswerOutcome = 'done' | 'full' | 'closed'

/** Who is out is recorded nothing. Throws not_found for a date that they may not see. */
export async function answerMeeting(
  { write, now }: MeetingDeps,
  userId: number,
  { id, answer, marksToo }: Answering,
): Promise<AnswerOutcome> {
  const at = now()
  return await write(async (tx) => {
    await seenRow(tx, userId, 'meetings', id)
    const { closed, people, is_asked } = await standingOf(tx, { id, userId })
    if (closed === 1) return 'closed'
    if (is_asked === 0 && people >= mostPeople) return 'full'
    const own = { answer, marks_too: Number(marksToo && answer !== 'out'), answered_at: at }
    await tx
      .insertInto('meeting_people')
      .values({ meeting_id: id, user_id: userId, ...own })
      .onConflict((row) => row.columns(['meeting_id', 'user_id']).doUpdateSet(own))
      .execute()
    await tx
      .updateTable('notifications')
      .set({ read_at: at })
      .where('meeting_id', '=', id)
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
      .execute()
    return 'done'
  })
}

async function standingOf(tx: Tx, { id, userId }: { readonly id: number; readonly userId: number }) {
  const { rows } = await sql<{ closed: number; people: number; is_asked: number }>`
    select cancelled_at is not null or done_at is not null as closed,
      (select count(*) from meeting_people where meeting_id = ${id}) as people,
      exists (select 1 from meeting_people where meeting_id = ${id} and user_id = ${userId}) as is_asked
    from meetings where id = ${id}`.execute(tx)
  return rows[0] ?? { closed: 1, people: 0, is_asked: 0 }
}

interface MeetingTelling {
  readonly meeting: number
  /** Null for the system. */
  readonly by: number | null
  readonly step: MeetingStep
  readonly at: number
  /** Which of its people. */
  readonly who: RawBuilder<unknown>
}

/** Tells people of a date, each once of each step. */
export async function tell(tx: Tx, { meeting, by, step, at, who }: MeetingTelling): Promise<void> {
  const isToBeTold =
    by === null ? sql`not exists (select 1 from deletions where user_id = told.id)` : isTold(sql`${by}`)
  await sql`
    insert into notifications (user_id, kind, actor_id, meeting_id, meeting_step, created_at)
    select told.id, 'meeting', ${by}, ${meeting}, ${step}, ${at}
    from meeting_people cross join users as told on told.id = meeting_people.user_id
    where meeting_id = ${meeting} and ${who} and told.disabled_at is null and ${isToBeTold}
    on conflict do nothing`.execute(tx)
}
