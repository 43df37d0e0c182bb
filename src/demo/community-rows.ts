import type { Database } from 'bun:sqlite'
import { Failure } from '../lib/failure'
import { live } from './life'
import { createMembers, takenNames, userRows } from './members'
import { createRandom } from './random'
import type { Rows } from './rows'
import { tasteRows } from './tastes'
import { readWorld, type World } from './world'

/** What is asked for. The same, on databases with the same rows, makes the same. */
export interface Asked {
  readonly users: number
  readonly records: number
  readonly seed: number
  /** The end of the community's time, in epoch milliseconds; it is eight years long at most. */
  readonly until: number
  /** Whether users who are there already are no reason to refuse. */
  readonly force: boolean
  /** Is told now and then what is being done. */
  onProgress(text: string): void
}

/** All rows of a community whose users' ids begin at `firstId`, each after those it refers to. */
export function communityRows(
  handle: Database,
  { users, records, seed, until }: Asked,
  firstId: number,
): Rows {
  const random = createRandom(seed)
  const world = readWorld(handle, random)
  if (records > 0) refuseEmpty(world, until)
  const begin = records > 0 ? (world.series[0]?.airs[0] ?? until) : 0
  const from = Math.max(begin, until - 8 * year)
  // More of it happens in later years.
  const timeOf = (share: number) => Math.floor(from + (until - from) * share ** 0.6)
  const members = createMembers({ users, firstId, timeOf }, random)
  const taken = takenNames(handle)
  const lives = members.map((member) => ({
    member,
    watching: [],
    statuses: new Map(),
    followed: new Set<number>(),
  }))
  const community = { world, lives, random, until, posts: [] }
  return (function* () {
    yield* userRows(members, taken, random)
    yield* live(community, records, timeOf)
    yield* tasteRows(community)
  })()
}

function refuseEmpty({ series: [oldest] }: World, until: number): void {
  if (oldest === undefined)
    throw new Failure('data', 'the catalogue has no episodes to record: import some, or ask for --records 0')
  if (oldest.airs[0] >= until - day)
    throw new Failure(
      'data',
      `no episode was broadcast before ${new Date(until).toISOString()}: give a later --until`,
    )
}

const day = 24 * 60 * 60 * 1000
const year = 365 * day
