import { type RawBuilder, sql } from 'kysely'
import { seenBy } from '../../db/guard/audience'
import type { Read } from '../../db/open'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { entriesOfStream, isLinked, type StreamActivity, type StreamEntry } from './entries'

/** Whose activities; `person` is one user's id. */
export type StreamOf =
  | { readonly following: number }
  | { readonly person: number }
  | { readonly everyone: true }

export interface EntryPage {
  readonly entries: readonly StreamEntry[]
  /** The page after it begins below this activity; undefined for the last one. */
  readonly next: number | undefined
}

/** Activities of a page that are looked at: of a crowd few may be seen, and many may be told as one. */
const mostRows = 5000
/** With the first of these, most pages are full. */
const windowLengths = [64, 256, 1024, mostRows - 64 - 256 - 1024]
/** Of ids, for those whom somebody follows. */
const shortReach = 2000

/** The entries whose newest activity is below `before`, newest first; at most `limit`, and fewer where much was looked at. */
export async function pageOfEntries(
  read: Read,
  whose: StreamOf,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<EntryPage> {
  const entries: StreamEntry[] = []
  let below = before
  for (const length of windowLengths) {
    const { activities, from } = await windowBelow(read, whose, { below, length })
    entries.push(...(await entriesIn(read, whose, { activities, from, below })))
    if (entries.length > limit) break
    if (from <= 1) return { entries, next: undefined }
    below = from
  }
  if (entries.length <= limit) return { entries, next: below }
  const shown = entries.slice(0, limit)
  return { entries: shown, next: shown.at(-1)?.[0].id }
}

interface StreamWindow {
  readonly activities: readonly StreamActivity[]
  /** Of the ids from this one on, `activities` has all that may be seen; 1 if there are none below. */
  readonly from: number
}

type WindowBelow = { readonly below: number; readonly length: number }

/**
 * Those whom somebody follows may have done nothing for long: of so many of the newest ids, then of four times as many, until
 * enough are found. Of everybody, no more ids are looked at than rows.
 */
async function windowBelow(
  read: Read,
  whose: StreamOf,
  { below, length }: WindowBelow,
): Promise<StreamWindow> {
  if ('person' in whose) {
    const activities = await ofPerson(read, { user: whose.person, below, length })
    return { activities, from: activities.length < length ? 1 : (activities.at(-1)?.id ?? 1) }
  }
  const [{ newest } = { newest: 0 }] = await newestId(read, {})
  const top = Math.min(below, newest + 1)
  const isCrowd = 'everyone' in whose
  for (let reach = isCrowd ? mostRows : shortReach; ; reach *= 4) {
    const from = Math.max(1, top - reach)
    const activities = isCrowd
      ? await ofEveryone(read, { from, below: top, length })
      : await ofFollowed(read, { follower: whose.following, from, below: top, length })
    if (activities.length === length) return { activities, from: activities.at(-1)?.id ?? 1 }
    if (from === 1 || isCrowd) return { activities, from }
  }
}

const columns = sql`activities.id, activities.user_id, activities.work_id, action, record_id, review_id, status_kind, activities.created_at,
  (select meeting_id from meeting_people where meeting_people.activity_id = activities.id) as meeting_id`

/** Own private rows neither: these pages show what others see too. Nobody whom an administrator disabled, unless they left. */
const isTold = sql`activities.withheld < 2 and exists (
  select 1 from users where users.id = activities.user_id
    and (disabled_at is null or exists (select 1 from deletions where deletions.user_id = users.id)))`

/** Whoever may see it: ids say nothing. */
const newestId = preparedSql<{ newest: number }, Record<string, never>>(
  () => sql`select seq as newest from sqlite_sequence where name = 'activities'`,
)

type Between = { from: number; below: number; length: number }

const newestFirst = (slot: SlotOf<Between>, from: RawBuilder<unknown>) => sql<StreamActivity>`
  select ${columns} from ${from} and activities.id >= ${slot('from')} and activities.id < ${slot('below')} and ${isTold}
  order by activities.id desc limit ${slot('length')}`

const ofEveryone = preparedSql<StreamActivity, Between>((slot) =>
  newestFirst(slot, sql`activities where true`),
)

/** Some activities by their ids, as JSON, in any order. */
export const activitiesWith = preparedSql<StreamActivity, { ids: string }>(
  (slot) => sql`
  select ${columns} from activities
  where activities.id in (select value from json_each(${slot('ids')})) and ${isTold}`,
)

const byUser = seenBy('activities', 'activities_user')

const ofFollowed = preparedSql<StreamActivity, Between & { follower: number }>((slot) =>
  newestFirst(
    slot,
    sql`${byUser} where activities.user_id in (select followed_id from follows where follower_id = ${slot('follower')})`,
  ),
)

const ofPerson = preparedSql<StreamActivity, { user: number; below: number; length: number }>(
  (slot) => sql`
  select ${columns} from ${byUser}
  where activities.user_id = ${slot('user')} and activities.id < ${slot('below')} and ${isTold}
  order by activities.id desc limit ${slot('length')}`,
)

/** Of these activities, the entries whose newest one is among them, with their older ones wherever these are. */
async function entriesIn(
  read: Read,
  whose: StreamOf,
  { activities, from, below }: StreamWindow & { readonly below: number },
): Promise<StreamEntry[]> {
  const streams = Map.groupBy(activities, ({ user_id }) => user_id)
  const ends = (at: 0 | -1) => [...streams.values()].flatMap((some) => some.at(at) ?? [])
  const newer = await continued(read, ends(0), 'newer')
  const older = await continued(read, ends(-1), 'older')
  const found = [...streams]
    .flatMap(([user, some]) =>
      entriesOfStream([...(newer.get(user)?.toReversed() ?? []), ...some, ...(older.get(user) ?? [])]),
    )
    .filter(([{ id }]) => id >= from && id < below)
    .sort(([one], [other]) => other.id - one.id)
  return await toldOnce(read, whose, found)
}

/** What several people watched together is one entry, which stands at the newest of theirs in this stream (D79). */
async function toldOnce(read: Read, whose: StreamOf, entries: StreamEntry[]): Promise<StreamEntry[]> {
  const ids = entries.flatMap(([{ id, meeting_id }]) => (meeting_id === null ? [] : [id]))
  if (ids.length === 0 || 'person' in whose) return entries
  const follower = 'following' in whose ? whose.following : null
  const later = await toldLater(read, { ids: JSON.stringify(ids), follower })
  const dropped = new Set(later.map(({ id }) => id))
  return entries.filter(([{ id }]) => !dropped.has(id))
}

/** Those of these activities of which there is a newer one of the same date, by whoever is followed, or null by anybody. */
const toldLater = preparedSql<{ id: number }, { ids: string; follower: number | null }>(
  (slot) => sql`
  select asked.value as id from json_each(${slot('ids')}) as asked
  where exists (
    select 1 from meeting_people as own join meeting_people as other on other.meeting_id = own.meeting_id
      join activities on activities.id = other.activity_id
    where own.activity_id = asked.value and other.activity_id > own.activity_id and ${isTold}
      and (${slot('follower')} is null or other.user_id in (
        select followed_id from follows where follower_id = ${slot('follower')})))`,
)

/** Activities that are read to see how far runs go. A longer one is cut there. */
const mostLinked = 3000

/** What is linked to the last of each stream, by person, in the order in which it is reached. */
async function continued(read: Read, ends: readonly StreamActivity[], way: 'newer' | 'older') {
  const pairs = JSON.stringify(ends.map(({ user_id, id }) => [user_id, id]))
  const found = await nextOf[way](read, { ends: pairs })
  const next = new Map(found.map((activity) => [activity.user_id, activity]))
  const reached = new Map<number, readonly StreamActivity[]>()
  let left = mostLinked
  for (const end of ends) {
    const first = next.get(end.user_id)
    if (first === undefined || !isLinked(end, first)) continue
    const run = await runFrom(read, first, { way, most: left })
    reached.set(end.user_id, run)
    left -= run.length
  }
  return reached
}

interface RunWay {
  readonly way: 'newer' | 'older'
  readonly most: number
}

/** Nearly always short: more is read once it turns out not to be. */
async function runFrom(read: Read, first: StreamActivity, { way, most }: RunWay) {
  const run = [first]
  for (let length = 10; run.length < most; length *= 20) {
    const end = run.at(-1) ?? first
    const asked = Math.min(length, most - run.length)
    const some = await restOf[way](read, { user: end.user_id, id: end.id, length: asked })
    const unlinked = some.findIndex((activity, at) => !isLinked(some[at - 1] ?? end, activity))
    run.push(...(unlinked < 0 ? some : some.slice(0, unlinked)))
    if (unlinked >= 0 || some.length < asked) break
  }
  return run
}

/** `ends`: pairs of a user and an activity of theirs, as JSON. */
const nextBeyond = (end: RawBuilder<unknown>, side: RawBuilder<unknown>) =>
  preparedSql<StreamActivity, { ends: string }>(
    (slot) => sql`
  select ${columns} from json_each(${slot('ends')}) as stream cross join activities
  where activities.id = (
    select ${end}(activities.id) from ${byUser}
    where activities.user_id = stream.value ->> 0 and activities.id ${side} stream.value ->> 1 and ${isTold})`,
  )

const nextOf = { newer: nextBeyond(sql`min`, sql`>`), older: nextBeyond(sql`max`, sql`<`) }

type Rest = { user: number; id: number; length: number }

const restBeyond = (order: RawBuilder<unknown>, side: RawBuilder<unknown>) =>
  preparedSql<StreamActivity, Rest>(
    (slot) => sql`
  select ${columns} from ${byUser}
  where activities.user_id = ${slot('user')} and activities.id ${side} ${slot('id')} and ${isTold}
  order by activities.id ${order} limit ${slot('length')}`,
  )

const restOf = { newer: restBeyond(sql`asc`, sql`>`), older: restBeyond(sql`desc`, sql`<`) }
