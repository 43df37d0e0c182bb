import { sql } from 'kysely'
import { preparedSql } from '../db/prepared'
import type { Tx, Write } from '../db/write'
import type { Deps } from '../deps'
import type { NewsItem, NewsKind } from './message'
import { afterQuiet, type QuietTime } from './quiet'

/** News for one destination. */
export interface News {
  readonly user: number
  readonly destination: number
  readonly kind: NewsKind
  readonly item: NewsItem
  readonly quiet: QuietTime
}

const hour = 3_600_000
const day = 24 * hour

/** What comes together is told together. */
const collectedMs = 20_000
/** Of one kind, to one destination. */
const betweenMs = hour
const mostItems = 20
const mostOfPerson = 200
const mostOfAll = 10_000

/** Joins the message that waits; else makes one, and drops the oldest of too many. Returns how many were dropped. */
export async function enqueue(
  tx: Tx,
  { user, destination, kind, item, quiet }: News,
  now: number,
): Promise<number> {
  const json = JSON.stringify(item)
  const joined = await joinWaiting(tx, { destination, kind, item: json })
  if (joined.length > 0) return 0
  const [last] = await lastSent(tx, { destination, kind })
  const free = last === undefined ? now : Math.min(last.at, now) + betweenMs
  const next = afterQuiet(quiet, Math.max(now + collectedMs, free))
  await insertMessage(tx, { user, destination, kind, items: `[${json}]`, next, now })
  const dropped = await dropOldest(tx, { user, now })
  return dropped.length
}

/** One that was tried may have arrived: whoever got it takes the same id for the same message. */
const joinWaiting = preparedSql<{ id: number }, { destination: number; kind: string; item: string }>(
  (slot) => sql`
    update outgoing set more = more + (json_array_length(items) >= ${sql.lit(mostItems)}),
      items = iif(json_array_length(items) < ${sql.lit(mostItems)}, json_insert(items, '$[#]', json(${slot('item')})), items)
    where id = (
      select id from outgoing
      where destination_id = ${slot('destination')} and kind = ${slot('kind')} and state = 'waiting' and tries = 0
      order by id desc limit 1)
    returning id`,
)

/** Uses outgoing_destination. */
const lastSent = preparedSql<{ at: number }, { destination: number; kind: string }>(
  (slot) => sql`
    select ended_at as at from outgoing
    where destination_id = ${slot('destination')} and kind = ${slot('kind')} and state = 'sent'
    order by id desc limit 1`,
)

interface NewMessage {
  user: number
  destination: number
  kind: string
  items: string
  next: number
  now: number
}

const insertMessage = preparedSql<never, { [Name in keyof NewMessage]: NewMessage[Name] }>(
  (slot) => sql`
    insert into outgoing (user_id, destination_id, kind, items, next_at, created_at)
    values (${slot('user')}, ${slot('destination')}, ${slot('kind')}, ${slot('items')}, ${slot('next')}, ${slot('now')})`,
)

/** Uses outgoing_waiting and outgoing_due. */
const dropOldest = preparedSql<{ id: number }, { user: number; now: number }>(
  (slot) => sql`
    update outgoing set state = 'dropped', ended_at = ${slot('now')}, why = 'too many'
    where id in (
      select id from (
        select id from outgoing where user_id = ${slot('user')} and state = 'waiting'
        order by id desc limit -1 offset ${sql.lit(mostOfPerson)})
      union
      select id from (
        select id from outgoing where state = 'waiting' order by id desc limit -1 offset ${sql.lit(mostOfAll)}))
    returning id`,
)

type SweepDeps = Pick<Deps, 'write' | 'now' | 'metrics'>

/** At a start: what waited for more than a day is no news, as after a backup was restored. */
export async function dropStale({ write, now, metrics }: SweepDeps): Promise<void> {
  const at = now()
  const dropped = await write((tx) =>
    tx
      .updateTable('outgoing')
      .set({ state: 'dropped', ended_at: at, why: 'too old' })
      .where('state', '=', 'waiting')
      .where('created_at', '<', at - day)
      .returning('id')
      .execute(),
  )
  metrics?.count('kiroku_outgoing_total', { state: 'dropped' }, dropped.length)
}

/** Forgets what ended 14 days ago. In short writes. */
export async function sweepOutgoing({ write, now }: { write: Write; now(): number }): Promise<void> {
  const before = now() - 14 * day
  for (let deleted = atOnce; deleted === atOnce; )
    deleted = (await write((tx) => dropEnded(tx, { before }))).length
}

const atOnce = 500

/** Uses outgoing_ended. */
const dropEnded = preparedSql<{ id: number }, { before: number }>(
  (slot) => sql`
    delete from outgoing where id in (
      select id from outgoing where ended_at is not null and ended_at < ${slot('before')} limit ${sql.lit(atOnce)})
    returning id`,
)
