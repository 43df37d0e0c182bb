import type { Database } from 'bun:sqlite'
import { countedTables, setCounters } from '../catalogue/counters/recount'
import { setRowCounts } from '../catalogue/counters/recount-rows'
import { Failure } from '../lib/failure'
import type { Community } from './community'
import { watchEverything } from './history/watching'
import { readWorld, type World } from './history/world'
import { createMembers } from './members/members'
import { createRandom } from './random'
import { suspendUpkeep, type Upkeep } from './upkeep'
import { writeActivities, writeStatuses } from './write/activities'
import { writeMembers } from './write/members'
import { writePosts } from './write/posts'
import { writeSocial } from './write/social'
import { writeChannels, writeFavorites, writeMutes } from './write/tastes'
import { writtenTables } from './write/written-tables'

/** What is asked for. The same, on databases with the same rows, makes the same. */
export interface Asked {
  readonly users: number
  readonly records: number
  readonly seed: number
  /** The end of the community's time, in epoch milliseconds; it is eight years long. */
  readonly until: number
  /** Whether users who are there already are no reason to refuse. */
  readonly force: boolean
  /** Is told now and then what is being done. */
  onProgress(text: string): void
}

/** What came of it. */
export interface Made {
  /** How many rows were made, by what they are. */
  readonly counts: Readonly<Record<string, number>>
  /** The username of somebody who follows many others; undefined where nobody was made. */
  readonly example: string | undefined
}

/**
 * Adds a made-up community in one transaction, which is much faster than `addCommunity` and for a database that nobody
 * else writes to: all of it or nothing. Users who are there already are left alone. Throws a `data` failure.
 */
export function makeCommunity(handle: Database, asked: Asked): Made {
  handle.run('begin immediate')
  try {
    if (!asked.force) refuseUsers(handle)
    const upkeep = suspendUpkeep(handle, writtenTables)
    const { counts, firstUserId } = writeCommunity(handle, asked)
    catchUp(handle, upkeep, asked)
    const example = exampleOf(handle, firstUserId)
    handle.run('commit')
    return { counts, example }
  } finally {
    if (handle.inTransaction) handle.run('rollback')
  }
}

/** Writes the rows of a community into a database, and neither counters nor anything else that triggers keep. */
export function writeCommunity(handle: Database, asked: Asked) {
  const world = readWorld(handle, asked.until, createRandom(asked.seed, 'world'))
  if (asked.records > 0) refuseEmpty(world)
  return write(handle, world, asked)
}

/** Throws a `data` failure where there are users: nobody wants a made-up community among real ones by mistake. */
export function refuseUsers(handle: Database): void {
  const [user] = handle.query<{ username: string }, []>('select username from users limit 1').all()
  if (user !== undefined)
    throw new Failure('data', `there are users already, such as ${user.username}: --force adds to them`)
}

function refuseEmpty({ works, until }: World): void {
  if (works.every(({ episodes }) => episodes.length === 0))
    throw new Failure('data', 'the catalogue has no episodes to record: import some, or ask for --records 0')
  if (works.every(({ airs }) => (airs[0] ?? until) >= until - day))
    throw new Failure(
      'data',
      `no episode was broadcast before ${new Date(until).toISOString()}: give a later --until`,
    )
}

function write(handle: Database, world: World, { users, records, seed, until, onProgress }: Asked) {
  const random = (part: string) => createRandom(seed, part)
  const members = createMembers({ users, records, from: until - 8 * year, until }, random('members'))
  const firstUserId = writeMembers(handle, members, random('names'))
  const community: Community = { handle, world, members, firstUserId, random, onProgress }
  onProgress('what everybody watches')
  const history = watchEverything(world, members, random('watching'))
  // Planning leaves much behind that Bun is in no hurry to give back.
  Bun.gc(true)
  const order = history.acts.inOrderOf('time')
  const posts = writePosts(community, history, order)
  const counts = {
    users,
    records: posts.records.rows.length,
    reviews: posts.reviews.rows.length,
    activities: writeActivities(community, history, order, posts),
    statuses: writeStatuses(community, history),
    ...writeSocial(community, posts),
    mutes: writeMutes(community),
    favorites: writeFavorites(community),
    channels: writeChannels(community),
  }
  return { counts, firstUserId }
}

/** Does at once what the triggers and indexes would have done at every row. */
function catchUp(handle: Database, upkeep: Upkeep, { onProgress }: Asked): void {
  onProgress('indexes')
  // What was planned is written; the sorting that comes now takes as much memory again.
  Bun.gc(true)
  // These counters stand in indexes, so they are set before those are made; counting likes takes the likes' own.
  upkeep.restoreIndexes(['likes'])
  setCounters(handle, likedTables)
  upkeep.restoreIndexes(writtenTables.filter((table) => table !== 'likes'))
  onProgress('counters')
  const others = countedTables.filter((table) => !likedTables.includes(table))
  setCounters(handle, others)
  setRowCounts(handle)
  upkeep.restoreTriggers()
}

/** Who of the community follows most others. */
export function exampleOf(handle: Database, firstUserId: number): string | undefined {
  const [user] = handle
    .query<{ username: string }, [number]>(
      'select username from users where id >= ? order by followings_count desc, id limit 1',
    )
    .all(firstUserId)
  return user?.username
}

const likedTables = ['records', 'reviews']
const day = 24 * 60 * 60 * 1000
const year = 365 * day
