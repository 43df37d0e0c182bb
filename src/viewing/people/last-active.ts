import { sql } from 'kysely'
import { perStore } from '../../db/generations/tracked-read'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { VisitDeps } from '../../web/visit'
import { isListed } from './members'

/** A member, and the newest thing that they did which everybody may see; 0 if there is none. */
export interface ActiveMember {
  readonly id: number
  readonly last: number
}

/** Who looks; `isApart`: 1 leaves out themselves and whom they follow or asked. */
interface MembersQuery {
  readonly viewer: number
  readonly isApart: 0 | 1
  /** Only those after this one, in this order. */
  readonly after: ActiveMember
  readonly limit: number
}

export const beforeAll: ActiveMember = { id: Number.MAX_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER }

/** How many are asked at once whether they are in the directory. */
const batch = 200

/** Members who are in the directory, last active first. */
export async function lastActive(
  { read, crowd }: Pick<VisitDeps, 'read' | 'crowd'>,
  { viewer, isApart, after, limit }: MembersQuery,
): Promise<readonly ActiveMember[]> {
  const order = await orderOf(read)
  const from = order.findIndex(
    (one) => one.last < after.last || (one.last === after.last && one.id < after.id),
  )
  const found: ActiveMember[] = []
  for (let at = from; at >= 0 && at < order.length && found.length < limit; at += batch) {
    const some = order.slice(at, at + batch)
    const rows = await listedAmong(crowd, { ids: JSON.stringify(some.map(({ id }) => id)), viewer, isApart })
    const listed = new Set(rows.map(({ id }) => id))
    found.push(...some.filter(({ id }) => listed.has(id)))
  }
  return found.slice(0, limit)
}

interface KeptOrder {
  readonly order: readonly ActiveMember[]
  /** The newest activity that it knows. */
  readonly newest: number
  /** What else it depends on. */
  readonly others: string
}

/** 16 bytes each (promise 12). */
const mostKept = 100_000
/** Once so many activities are newer, the order is made again. */
const mostNewer = 5000

const kept = perStore((): { value: KeptOrder } => ({
  value: { order: [], newest: -mostNewer - 1, others: '' },
}))

/** All members, last active first: kept, as it takes 30 ms for 20,000 people, and joined with what was done since. */
async function orderOf(shared: Read): Promise<readonly ActiveMember[]> {
  const [now = { newest: 0, others: '' }] = await orderKey(shared, {})
  const known = kept(shared)
  if (known.value.others !== now.others || now.newest - known.value.newest > mostNewer)
    known.value = { ...now, order: await wholeOrder(shared, {}) }
  const { order, newest } = known.value
  const since = await activeSince(shared, { after: newest })
  const again = new Set(since.map(({ id }) => id))
  return since.length === 0 ? order : [...since, ...order.filter(({ id }) => !again.has(id))]
}

/** Activities that were deleted or are seen by fewer people, and members who are new. */
const orderKey = preparedSql<Pick<KeptOrder, 'newest' | 'others'>, Record<string, never>>(
  () => sql`
  select ifnull((select seq from sqlite_sequence where name = 'activities'), 0) as newest,
    ifnull((select max(id) from activity_deletions), 0)
      || ' ' || (select number from withheld_rows where table_name = 'activities')
      || ' ' || (select max(id) from users) as others`,
)

const wholeOrder = preparedSql<ActiveMember, Record<string, never>>(
  () => sql`
  select users.id, ifnull((
    select max(activities.id) from activities where activities.user_id = users.id), 0) as last
  from users order by last desc, users.id desc limit ${sql.lit(mostKept)}`,
)

// The inner query keeps SQLite on the newest ids: grouping alone would read the index of all users.
const activeSince = preparedSql<ActiveMember, { after: number }>(
  (slot) => sql`
  select user_id as id, max(id) as last from (
    select user_id, id from activities where id > ${slot('after')} order by id limit ${sql.lit(mostNewer)})
  group by user_id order by last desc`,
)

const listedAmong = preparedSql<{ id: number }, { ids: string; viewer: number; isApart: number }>(
  (slot) => sql`
  select users.id from users
  where users.id in (select value from json_each(${slot('ids')})) and ${isListed(slot('viewer'))}
    and not (${slot('isApart')} and (
      users.id = ${slot('viewer')}
      or exists (select 1 from follows where follower_id = ${slot('viewer')} and followed_id = users.id)
      or exists (
        select 1 from follow_requests where follower_id = ${slot('viewer')} and followed_id = users.id
          and withdrawn_at is null)))`,
)
