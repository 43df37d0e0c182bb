import type { Database } from 'bun:sqlite'
import { Failure } from '../lib/failure'
import { eventRows } from './life'
import { createMembers, takenNames, userRows } from './members'
import { createRandom } from './random'
import type { Rows } from './rows'
import { tasteRows } from './tastes'
import { readWorld, type World } from './world'

/** Deterministic: the same options and existing rows give the same community. */
export interface CommunityOptions {
  readonly users: number
  readonly records: number
  readonly seed: number
  /** The end of the simulated time, which spans at most eight years, in epoch milliseconds. */
  readonly until: number
  readonly force: boolean
  onProgress(text: string): void
}

/** User ids begin at `firstId`; each row comes after those it references. */
export function communityRows(
  handle: Database,
  { users, records, seed, until }: CommunityOptions,
  firstId: number,
): Rows {
  const random = createRandom(seed)
  const world = readWorld(handle, random)
  if (records > 0) refuseWithoutEpisodes(world, until)
  const begin = records > 0 ? (world.series[0]?.airTimes[0] ?? until) : 0
  const from = Math.max(begin, until - 8 * year)
  const timeOf = (share: number) => Math.floor(from + (until - from) * share ** 0.6)
  const members = createMembers({ users, firstId, timeOf }, random)
  const taken = takenNames(handle)
  const memberStates = members.map((member) => ({
    member,
    watching: [],
    statuses: new Map(),
    followed: new Set<number>(),
  }))
  const community = { world, memberStates, random, until, posts: [] }
  return (function* () {
    yield* userRows(members, taken, random)
    yield* eventRows(community, records, timeOf)
    yield* tasteRows(community)
  })()
}

function refuseWithoutEpisodes({ series: [oldest] }: World, until: number): void {
  if (oldest === undefined)
    throw new Failure('data', 'the catalogue has no episodes to record: import some, or ask for --records 0')
  if (oldest.airTimes[0] >= until - day)
    throw new Failure(
      'data',
      `no episode was broadcast before ${new Date(until).toISOString()}: give a later --until`,
    )
}

const day = 24 * 60 * 60 * 1000
const year = 365 * day
