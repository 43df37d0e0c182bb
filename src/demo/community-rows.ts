import type { Database } from 'bun:sqlite'
import { Failure } from '../lib/failure'
import type { Community } from './community'
import { eventRows } from './life'
import { meetingRows } from './meetings'
import { createMembers, type DemoMember, takenNames, userRows } from './members'
import { createRandom, type SeededRandom } from './random'
import type { DemoRows } from './rows'
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
): DemoRows {
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
  const talk = createRandom(seed + 1)
  const community = { world, memberStates, random, talk, until, posts: [] }
  return (function* () {
    yield* userRows(members, taken, random)
    yield* eventRows(community, records, timeOf)
    yield* tasteRows(community)
    yield* listRows(community, createRandom(seed + 2))
    yield* meetingRows(community, createRandom(seed + 3))
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

function* tasteRows(community: Community): DemoRows {
  const { memberStates, world, random, until } = community
  const since = (...times: number[]) => Math.floor(random.between(Math.max(...times), until))
  const favorites = Object.entries(favoriteKinds).flatMap(([column, name]) =>
    picks(community, world[name], { share: 0.4, mean: 4 }).map(({ member, picked }) => ({
      ...noFavorite,
      user_id: member.id,
      [column]: picked,
      created_at: since(member.joinedAt),
    })),
  )
  const all = [...favorites, ...favoriteWorks(community)]
  for (const values of all.toSorted((one, other) => one.created_at - other.created_at))
    yield { table: 'favorites', values }
  for (const { member, picked } of picks(community, world.channels, { share: 0.3, mean: 5 }))
    yield { table: 'user_channels', values: { user_id: member.id, channel_id: picked } }
  const members = memberStates.map(({ member }) => member)
  for (const { member, picked } of picks(community, members, { share: 0.05, mean: 1 })) {
    const values = {
      user_id: member.id,
      muted_id: picked.id,
      created_at: since(member.joinedAt, picked.joinedAt),
    }
    if (picked !== member) yield { table: 'mutes', values }
  }
}

const noFavorite = {
  ...{ work_id: null, position: null, character_id: null, person_id: null, organization_id: null },
}

/** Some of what each has watched, in the order in which they became favourites. */
const favoriteWorks = ({ memberStates, talk, until }: Community) =>
  memberStates.flatMap(({ member, statuses }) => {
    const watched = [...statuses].filter(([, { kind }]) => kind === 'watched')
    const count = talk.chance(0.5) ? 1 + Math.floor(talk.exponential(4)) : 0
    const places = new Set(Array.from({ length: Math.min(count, 10) }, () => talk.below(watched.length)))
    return [...places]
      .flatMap((place) => watched.slice(place, place + 1))
      .map(([{ id }, { time }]) => ({ work_id: id, created_at: Math.floor(talk.between(time, until)) }))
      .toSorted((one, other) => one.created_at - other.created_at)
      .map((row, at) => ({ ...noFavorite, ...row, user_id: member.id, position: at + 1 }))
  })

/** Lists of works that their owners have a status of. With a stream of its own: other rows stay as they were. */
function* listRows({ memberStates, until }: Community, random: SeededRandom): DemoRows {
  for (const { member, statuses } of memberStates) {
    const works = [...statuses.keys()]
    for (const name of works.length > 5 && random.chance(0.3) ? listNames : []) {
      if (random.chance(0.4)) continue
      const created_at = Math.floor(random.between(member.joinedAt, until))
      const visibility = random.chance(0.5) ? 'public' : 'members'
      const values = { user_id: member.id, name, visibility, is_ordered: Number(random.chance(0.5)) }
      const list_id = yield { table: 'lists', values: { ...values, created_at, updated_at: created_at } }
      const places = new Set(Array.from({ length: 12 }, () => random.below(works.length)))
      for (const [place, work] of [...places].flatMap((at) => works.slice(at, at + 1)).entries()) {
        const row = { list_id, user_id: member.id, work_id: work.id, place: place + 1, added_at: created_at }
        yield { table: 'list_works', values: row }
      }
    }
  }
}

const listNames = ['おすすめ', '見返したい', '友だちと見る']

function picks<T>(
  { memberStates, random }: Community,
  list: readonly T[],
  { share, mean }: { share: number; mean: number },
): { member: DemoMember; picked: T }[] {
  return memberStates.flatMap(({ member }) => {
    const count = random.chance(share) ? 1 + Math.floor(random.exponential(mean)) : 0
    const places = new Set(Array.from({ length: count }, () => random.early(list.length)))
    return [...places].flatMap((place) => list.slice(place, place + 1)).map((picked) => ({ member, picked }))
  })
}

const favoriteKinds = {
  ...({ character_id: 'characters', person_id: 'people', organization_id: 'organizations' } as const),
}
