import type { Read } from '../db/open'
import { deletions, present, since } from './feed-queries'

/** The activities of those a user follows, oldest first: ids, and beside each its action. */
export interface Feed {
  readonly ids: number[]
  readonly actions: string[]
  /** How many of each action are among each 1,024 of them. */
  readonly counts: Map<string, number>[]
  /** What the feed is true for: whom its owner follows and mutes, the last activity and the last deletion it knows. */
  followed: number
  lastId: number
  lastDeletion: number
}

/** Keeps the feeds that are being read, and brings them up to date by what has happened since. */
export interface Feeds {
  of(viewer: number, withoutMuted: boolean): Promise<Pick<Feed, 'ids' | 'actions' | 'counts'>>
}

/** How many activities of a feed are counted together. */
export const countedTogether = 1024

/**
 * How many activities all kept feeds hold together, about 16 bytes each; the feed unread for longest goes first, and the
 * last one stays (promise 12).
 */
const keptActivities = 1_500_000

/** What a feed takes besides its activities, in activities. */
const besides = 100

/**
 * A feed's middle cannot be found by counting: it is the merger of many users' activities. So the ids of a feed are
 * kept while it is read; reading on costs what is new, not what is there.
 */
export function createFeeds(read: Read, capacity = keptActivities): Feeds {
  const kept = new Map<string, Feed>()
  let turn: Promise<unknown> = Promise.resolve()
  const update = async (viewer: number, withoutMuted: boolean) => {
    const key = `${viewer} ${withoutMuted}`
    const feed = await upToDate(read, kept.get(key), viewer, Number(withoutMuted))
    kept.delete(key)
    kept.set(key, feed)
    forgetOldest(kept, capacity)
    return feed
  }
  return {
    // One after the other: two updates of a feed at once would both append what is new.
    of: (viewer, withoutMuted) => {
      const updated = turn.then(() => update(viewer, withoutMuted))
      turn = updated.catch(() => undefined)
      return updated
    },
  }
}

async function upToDate(read: Read, known: Feed | undefined, viewer: number, muted: number): Promise<Feed> {
  const [now = { followed: 0, last_id: 0, last_deletion: 0 }] = await present(read, { viewer })
  let feed = known?.followed === now.followed ? known : emptyFeed(now)
  if (feed.lastDeletion < now.last_deletion && !(await forget(read, feed))) feed = emptyFeed(now)
  if (feed.lastId < now.last_id) append(feed, await since(read, { viewer, muted, after: feed.lastId }))
  // What was written between the two queries is known already.
  feed.lastId = Math.max(now.last_id, feed.ids.at(-1) ?? 0)
  feed.lastDeletion = now.last_deletion
  return feed
}

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
    if (ids.length % countedTogether === 0) counts.push(new Map())
    const last = counts.at(-1)
    last?.set(action, (last.get(action) ?? 0) + 1)
    ids.push(id)
    actions.push(action)
  }
}

/** Takes the last ones out, down to a whole stretch with at most `length` before it, and returns them. */
function takeFrom({ ids, actions, counts }: Feed, length: number): { id: number; action: string }[] {
  counts.length = Math.floor(length / countedTogether)
  const from = counts.length * countedTogether
  const taken = ids.slice(from).map((id, at) => ({ id, action: actions[from + at] ?? '' }))
  ids.length = from
  actions.length = from
  return taken
}

/** Takes out what was deleted since. False where the log no longer reaches back so far. */
async function forget(read: Read, feed: Feed): Promise<boolean> {
  const rows = await deletions(read, { after: feed.lastDeletion })
  if (rows[0]?.id !== feed.lastDeletion + 1) return false
  const gone = new Set(rows.map(({ activity_id }) => activity_id))
  const oldest = rows.reduce(
    (least, { activity_id }) => Math.min(least, activity_id),
    Number.POSITIVE_INFINITY,
  )
  const first = feed.ids.findLastIndex((id) => id < oldest) + 1
  append(
    feed,
    takeFrom(feed, first).filter(({ id }) => !gone.has(id)),
  )
  return true
}

function forgetOldest(kept: Map<string, Feed>, capacity: number): void {
  const sizeOf = ({ ids }: Feed) => ids.length + besides
  let held = 0
  for (const feed of kept.values()) held += sizeOf(feed)
  for (const [key, feed] of kept) {
    if (held <= capacity || kept.size === 1) return
    kept.delete(key)
    held -= sizeOf(feed)
  }
}
