import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'

/** The activities of the users somebody follows, oldest first: ids and, in a parallel array, their actions. */
export interface Feed {
  readonly ids: number[]
  readonly actions: string[]
  /** Per chunk of 1,024: how often each action occurs. */
  readonly counts: Map<string, number>[]
  /** The state the feed reflects: the version of follows and mutes, and the last activity and deletion. */
  followed: number
  lastId: number
  lastDeletion: number
}

export interface Feeds {
  /** `seen`: what its follower may see (`Reads.readAs`). */
  of(whose: FeedOf, seen: Read): Promise<Pick<Feed, 'ids' | 'actions' | 'counts'>>
}

export const chunkSize = 1024

/** Cache capacity, in activities of about 16 bytes each (promise 12). */
const maxActivities = 1_500_000

/** The fixed cost of a cached feed, in activities. */
const overheadPerFeed = 100

/**
 * An LRU cache of feeds that always keeps the newest feed. A feed merges the activities of many users, so an offset
 * in it cannot be found by counting; its ids are kept and new ones appended.
 */
export function createFeeds(capacity = maxActivities): Feeds {
  const kept = new Map<string, Feed>()
  let turn: Promise<unknown> = Promise.resolve()
  const update = async (whose: FeedOf, seen: Read) => {
    const key = `${whose.follower} ${whose.mutedBy} ${whose.own}`
    const feed = await upToDate(seen, kept.get(key), whose)
    kept.delete(key)
    kept.set(key, feed)
    evictOldest(kept, capacity)
    return feed
  }
  return {
    // One at a time: two concurrent updates of a feed would both append the same activities.
    of: (whose, seen) => {
      const updated = turn.then(() => update(whose, seen))
      turn = updated.catch(() => undefined)
      return updated
    },
  }
}

async function upToDate(read: Read, known: Feed | undefined, whose: FeedOf): Promise<Feed> {
  const [now = { followed: 0, last_id: 0, last_deletion: 0 }] = await readFeedKey(read, whose)
  let feed = known?.followed === now.followed ? known : emptyFeed(now)
  if (feed.lastDeletion < now.last_deletion && !(await applyDeletions(read, feed, whose)))
    feed = emptyFeed(now)
  if (feed.lastId < now.last_id) append(feed, await activitiesAfter(read, { ...whose, after: feed.lastId }))
  // Activities written between the two queries are already included.
  feed.lastId = Math.max(now.last_id, feed.ids.at(-1) ?? 0)
  feed.lastDeletion = now.last_deletion
  return feed
}

/** Whose feed it is, and what it contains. */
interface FeedOf {
  /** The user who follows. */
  readonly follower: number
  /** The user whose muted users are left out; 0 for none. */
  readonly mutedBy: number
  /** 1 if the follower's own activities belong to it. */
  readonly own: 0 | 1
}

/** What a cached feed depends on: follows and mutes, the last activity and the last deletion. */
const readFeedKey = prepared<
  { followed: number; last_id: number; last_deletion: number },
  { follower: number; mutedBy: number }
>((read, slot) =>
  read.selectNoFrom([
    // Versions only increase, so their sum changes with each of them.
    sql<number>`(
      select sum(feed_version) from users where users.id in (${slot('follower')}, ${slot('mutedBy')}))`.as(
      'followed',
    ),
    sql<number>`ifnull((select max(id) from activities), 0)`.as('last_id'),
    sql<number>`ifnull((select max(id) from activity_deletions), 0)`.as('last_deletion'),
  ]),
)

type Followed = { follower: number; mutedBy: number; own: number; after: number }

const isFollowed = (user: RawBuilder<unknown>, slot: SlotOf<Followed>) => sql<boolean>`${user} in (
  select shown.user_id from (
    select followed_id as user_id from follows where follower_id = ${slot('follower')}
    union all select ${slot('follower')} where ${slot('own')}) as shown
  where shown.user_id not in (select muted_id from mutes where mutes.user_id = ${slot('mutedBy')}))`

/** Uses activities_user, once per followed user. */
const activitiesAfter = prepared<{ id: number; action: string }, Followed>((read, slot) =>
  read
    .selectFrom('activities')
    .select(['id', 'action'])
    .where(isFollowed(sql.ref('user_id'), slot))
    .where('id', '>', slot('after'))
    .orderBy('id'),
)

/** `action` is null unless the activity has been restored since and belongs in the feed. */
interface Deletion {
  readonly id: number
  readonly activity_id: number
  readonly action: string | null
}

const deletionsAfter = prepared<Deletion, Followed>((read, slot) =>
  read
    .selectFrom('activity_deletions')
    .select(['id', 'activity_id'])
    .select(
      sql<string | null>`(
        select action from activities where activities.id = activity_id
        and ${isFollowed(sql.ref('activities.user_id'), slot)})`.as('action'),
    )
    .where('id', '>', slot('after'))
    .orderBy('id'),
)

const emptyFeed = (now: { followed: number; last_deletion: number }): Feed => ({
  ids: [],
  actions: [],
  counts: [],
  followed: now.followed,
  lastId: 0,
  lastDeletion: now.last_deletion,
})

function append({ ids, actions, counts }: Feed, rows: readonly { id: number; action: string }[]): void {
  for (const { id, action } of rows) {
    if (ids.length % chunkSize === 0) counts.push(new Map())
    const last = counts.at(-1)
    last?.set(action, (last.get(action) ?? 0) + 1)
    ids.push(id)
    actions.push(action)
  }
}

/** Truncates to whole chunks with at most `length` activities; returns what was cut off. */
function truncate({ ids, actions, counts }: Feed, length: number): { id: number; action: string }[] {
  counts.length = Math.floor(length / chunkSize)
  const from = counts.length * chunkSize
  const taken = ids.slice(from).map((id, at) => ({ id, action: actions[from + at] ?? '' }))
  ids.length = from
  actions.length = from
  return taken
}

/** Removes deleted activities and puts back restored ones. False if the log does not reach back far enough. */
async function applyDeletions(read: Read, feed: Feed, whose: FeedOf): Promise<boolean> {
  const rows = await deletionsAfter(read, { ...whose, after: feed.lastDeletion })
  if (rows[0]?.id !== feed.lastDeletion + 1) return false
  const gone = new Set(rows.map(({ activity_id }) => activity_id))
  const oldest = rows.reduce(
    (least, { activity_id }) => Math.min(least, activity_id),
    Number.POSITIVE_INFINITY,
  )
  const first = feed.ids.findLastIndex((id) => id < oldest) + 1
  const kept = truncate(feed, first).filter(({ id }) => !gone.has(id))
  append(
    feed,
    [...kept, ...restored(rows, feed.lastId)].sort((one, other) => one.id - other.id),
  )
  return true
}

/** Deleted activities that an undo inserted again; those after `lastId` are read with the new ones. */
function restored(rows: readonly Deletion[], lastId: number): { id: number; action: string }[] {
  const actions = new Map(rows.map(({ activity_id, action }) => [activity_id, action]))
  return [...actions].flatMap(([id, action]) => (action === null || id > lastId ? [] : [{ id, action }]))
}

function evictOldest(kept: Map<string, Feed>, capacity: number): void {
  const sizeOf = ({ ids }: Feed) => ids.length + overheadPerFeed
  let size = 0
  for (const feed of kept.values()) size += sizeOf(feed)
  for (const [key, feed] of kept) {
    if (size <= capacity || kept.size === 1) return
    kept.delete(key)
    size -= sizeOf(feed)
  }
}
