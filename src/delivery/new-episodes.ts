import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { currentLap } from '../library/laps'
import { nextEvening, slotTime } from '../library/showings/own-slot'
import { type Showing, showingsOf } from '../library/showings/showings'

type TellingDeps = Pick<Deps, 'readBare' | 'write' | 'now'>

/** Names the time until which people were told, in epoch milliseconds. */
const mark = 'episodes_told_until'

const day = 86_400_000
const mostAtOnce = 200
/** A change may be committed some time after the time that it carries. */
const longestCommit = 120_000

/**
 * Tells people once of each episode whose showing began since the last time, or began at most a day ago and was changed
 * since (D84). Whatever interrupts it, the next run goes on: nobody is told twice, because of `notifications_episode`.
 */
export async function tellNewEpisodes(deps: TellingDeps): Promise<void> {
  const now = deps.now()
  const since = await toldUntil(deps.readBare)
  if (since === undefined || since > now) return await beginAt(deps, now)
  const span = { now, from: Math.max(since, now - day), changed: since - longestCommit, oldest: now - day }
  const works = await begunWorks(deps.readBare, span)
  for (const { id } of works) await tellWatchers(deps, id, now)
  await tellOwnTimes(deps, now)
  if (works.length > 0) await deps.write((tx) => setMark(tx, now))
}

async function toldUntil(read: Read): Promise<number | undefined> {
  const [row] = await markRow(read, {})
  return row && Number(row.value)
}

/** Prepared, as it is read every ten seconds. */
const markRow = preparedSql<{ value: string }, Record<never, never>>(
  () => sql`select value from instance where name = ${sql.lit(mark)}`,
)

const setMark = (tx: Tx, value: number) =>
  tx
    .insertInto('instance')
    .values({ name: mark, value: String(value) })
    .onConflict((row) => row.doUpdateSet({ value: String(value) }))
    .execute()

/** The first time, and after the clock was set back: then the next times of people's own are in a future that will not be. */
const beginAt = ({ write }: TellingDeps, now: number) =>
  write(async (tx) => {
    await tx.updateTable('own_slots').set({ next_at: 0 }).where('next_at', '>', now).execute()
    await setMark(tx, now)
  })

/** Uses programs_started. */
const begunWorks = preparedSql<
  { id: number },
  { now: number; from: number; changed: number; oldest: number }
>(
  (slot) => sql`
    select distinct work_id as id from programs
    where hidden = 0 and is_rebroadcast = 0 and episode_id is not null
      and started_at > ${slot('oldest')} and started_at <= ${slot('now')}
      and (started_at > ${slot('from')} or changed_at > ${slot('changed')})`,
)

/** Which showing is an episode's first depends on the chosen channels: it is found out once for all who chose the same. */
async function tellWatchers(deps: TellingDeps, work: number, now: number): Promise<void> {
  for (let after = 0; ; ) {
    const people = await watchersOf(deps.readBare, { work, after })
    const groups = Map.groupBy(people, ({ id, has_slot, channels }) => (has_slot === 1 ? id : channels))
    const tellings: Telling[] = []
    for (const group of groups.values()) {
      const [one] = group
      if (one === undefined) continue
      const { shown } = await showingsOf(deps.readBare, lastDayOf({ user: one.id, work, now }))
      tellings.push(...tellingsOf(shown, { work, now, ids: group.map(({ id }) => id) }))
    }
    await tell(deps, tellings)
    const last = people.at(-1)
    if (last === undefined || people.length < mostAtOnce) return
    after = last.id
  }
}

/** Uses statuses_work. `channels`: those that the person chose, as JSON. */
const watchersOf = preparedSql<
  { id: number; has_slot: number; channels: string },
  { work: number; after: number }
>(
  (slot) => sql`
    select id,
      exists (select 1 from own_slots where user_id = id and work_id = ${slot('work')} and ended_at is null) as has_slot,
      (select json_group_array(channel_id) from (
        select channel_id from user_channels where user_id = id order by channel_id)) as channels
    from (
      select user_id as id from statuses
      where work_id = ${slot('work')} and kind in ('watching', 'wanna_watch') and user_id > ${slot('after')}
      order by user_id limit ${sql.lit(mostAtOnce)})`,
)

/** That the showing of an episode began, to several people. */
type Telling = {
  readonly work: number
  readonly episode: number
  readonly isFirst: 0 | 1
  /** Epoch milliseconds. */
  readonly began: number
  readonly now: number
  /** JSON of their ids. */
  readonly people: string
}

const lastDayOf = ({ user, work, now }: { user: number; work: number; now: number }) => ({
  ...{ user, works: [work], now, from: now - day + 1, until: now + 1 },
})

interface ToldPeople {
  readonly work: number
  readonly now: number
  readonly ids: readonly number[]
}

/** An estimate counts as a list does; a habit is no showing. */
function tellingsOf(shown: readonly Showing[], { work, now, ids }: ToldPeople): readonly Telling[] {
  return shown.flatMap(({ episode, at: began, isFirst }) =>
    episode === undefined
      ? []
      : [{ work, episode: episode.id, isFirst: isFirst ? 1 : 0, began, now, people: JSON.stringify(ids) }],
  )
}

/** Writes only if there is somebody to tell: after a change, all showings of the work are looked at again. */
async function tell({ readBare, write }: TellingDeps, tellings: readonly Telling[]): Promise<void> {
  const due: Telling[] = []
  for (const telling of tellings) {
    const people = (await untold(readBare, telling)).map(({ id }) => id)
    if (people.length > 0) due.push({ ...telling, people: JSON.stringify(people) })
  }
  if (due.length === 0) return
  await write(async (tx) => {
    for (const telling of due) await insertUntold(tx, telling)
  })
}

type SlotsOf = Parameters<Parameters<typeof preparedSql<never, Telling>>[0]>[0]

/** `s` is the status of somebody to tell. */
const isUntold = (slot: SlotsOf) => sql`
    from json_each(${slot('people')}) as asked
      cross join statuses as s on s.user_id = asked.value and s.work_id = ${slot('work')}
        and (s.kind = 'watching' or (s.kind = 'wanna_watch' and ${slot('isFirst')}))
    where not exists (
        select 1 from records where records.user_id = s.user_id and episode_id = ${slot('episode')}
          and lap = ${currentLap(sql.ref('s.user_id'), sql.ref('s.work_id'))})
      and not exists (
        select 1 from skips where skips.user_id = s.user_id and episode_id = ${slot('episode')}
          and lap = ${currentLap(sql.ref('s.user_id'), sql.ref('s.work_id'))})
      and not exists (select 1 from deletions where deletions.user_id = s.user_id)
      and not exists (
        select 1 from notifications as told where told.episode_id = ${slot('episode')} and told.user_id = s.user_id)`

const untold = preparedSql<{ id: number }, Telling>((slot) => sql`select s.user_id as id ${isUntold(slot)}`)

const insertUntold = preparedSql<never, Telling>(
  (slot) => sql`
    insert into notifications (user_id, kind, episode_id, began_at, created_at)
    select s.user_id, 'episode', ${slot('episode')}, ${slot('began')}, ${slot('now')} ${isUntold(slot)}`,
)

/** Those that are due, also of works of which no list knows a time. */
async function tellOwnTimes(deps: TellingDeps, now: number): Promise<void> {
  for (;;) {
    const due = await dueSlots(deps.readBare, { now })
    if (due.length === 0) return
    const tellings: Telling[] = []
    const next: NextTime[] = []
    for (const { user, work } of due) {
      const { shown, slots } = await showingsOf(deps.readBare, lastDayOf({ user, work, now }))
      tellings.push(...tellingsOf(shown, { work, now, ids: [user] }))
      const slot = slots.get(work)
      const isEarly = shown.some(({ kind, episode }) => kind === 'own' && episode === undefined)
      const following = slot === undefined ? now + day : slotTime(slot, nextEvening(slot, now))
      next.push({ user, work, at: isEarly ? Math.min(following, now + listMayCome) : following })
    }
    await tell(deps, tellings)
    await deps.write(async (tx) => {
      for (const one of next) await setNext(tx, one)
    })
    if (due.length < mostAtOnce) return
  }
}

/** The list may get the episode some time after it was shown. */
const listMayCome = 600_000

type NextTime = { user: number; work: number; at: number }

/** Uses own_slots_next. */
const dueSlots = preparedSql<{ user: number; work: number }, { now: number }>(
  (slot) => sql`
    select user_id as user, work_id as work from own_slots
    where ended_at is null and next_at <= ${slot('now')} order by next_at limit ${sql.lit(mostAtOnce)}`,
)

const setNext = preparedSql<never, NextTime>(
  (slot) => sql`
    update own_slots set next_at = ${slot('at')} where user_id = ${slot('user')} and work_id = ${slot('work')}`,
)

/** Deletes what was read 60 days ago. What is unread stays: nobody has seen it. */
export async function sweepNewEpisodes({ write, now }: Pick<Deps, 'write' | 'now'>): Promise<void> {
  const before = now() - 60 * day
  for (let deleted = mostAtOnce; deleted === mostAtOnce; )
    deleted = (await write((tx) => dropRead(tx, { before }))).length
}

/** Uses notifications_episode_read. */
const dropRead = preparedSql<{ id: number }, { before: number }>(
  (slot) => sql`
    delete from notifications where id in (
      select id from notifications where episode_id is not null and read_at is not null and read_at < ${slot('before')}
      limit ${sql.lit(mostAtOnce)})
    returning id`,
)
