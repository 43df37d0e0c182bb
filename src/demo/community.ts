import type { statusKinds } from '../library/statuses'
import type { DemoMember } from './members'
import type { SeededRandom } from './random'
import type { World, WorldWork } from './world'

export interface Community {
  readonly world: World
  readonly memberStates: readonly MemberState[]
  readonly random: SeededRandom
  /** For comments. */
  readonly talk: SeededRandom
  readonly until: number
  readonly posts: Post[]
}

export type DemoStatus = (typeof statusKinds)[number]

export interface MemberState {
  readonly member: DemoMember
  readonly watching: Watching[]
  readonly statuses: Map<WorldWork, { readonly kind: DemoStatus; readonly time: number }>
  /** Indexes into `Community.memberStates`. */
  readonly followed: Set<number>
}

export interface Watching {
  readonly work: WorldWork
  next: number
  /** A rewatch, which does not change the status. */
  readonly isAgain: boolean
}

/** A record or a review: one of the two ids is null. */
export interface Post {
  readonly record_id: number | null
  readonly review_id: number | null
  readonly author: DemoMember
  readonly likers: Set<number>
  readonly commenters: Set<number>
}

/** The index of one of the first `joined` members, preferring active ones strongly. */
export function busyMemberIndex({ memberStates, random }: Community, joined: number): number {
  const energyOf = (place: number) => memberStates[place]?.member.energy ?? 0
  const drawn = Array.from({ length: 4 }, () => random.below(joined))
  return drawn.reduce((one, other) => (energyOf(other) > energyOf(one) ? other : one))
}

export interface WatchedMoment {
  /** Epoch milliseconds. */
  readonly time: number
  readonly joined: number
  readonly begun: number
}
