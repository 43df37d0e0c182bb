import type { statusKinds } from '../library/statuses'
import type { Member } from './members'
import type { Random } from './random'
import type { Work, World } from './world'

/** A community while it is being made. */
export interface Community {
  readonly world: World
  /** Those who joined first in front. */
  readonly lives: readonly Life[]
  readonly random: Random
  /** The end of its time, in epoch milliseconds: everything happens before it. */
  readonly until: number
  /** What was written lately, for others to like. */
  readonly posts: Post[]
}

export type StatusKind = (typeof statusKinds)[number]

/** A member, and what the member has done so far. */
export interface Life {
  readonly member: Member
  readonly watching: Watching[]
  readonly statuses: Map<Work, { readonly kind: StatusKind; readonly time: number }>
  /** The places of the members that this one follows. */
  readonly followed: Set<number>
}

/** A work that a member is in the middle of. */
export interface Watching {
  readonly work: Work
  /** The place of the next episode. */
  next: number
  /** Whether the member has seen the work before: its status stays. */
  readonly isAgain: boolean
}

/** A record or a review: one of both ids is null. */
export interface Post {
  readonly record_id: number | null
  readonly review_id: number | null
  readonly author: Member
  /** The ids of those who like it. */
  readonly likers: Set<number>
}

/** The place of one of the first members, of the busy ones far more often than of others. */
export function busyPlace({ lives, random }: Community, joined: number): number {
  const energyOf = (place: number) => lives[place]?.member.energy ?? 0
  const drawn = Array.from({ length: 4 }, () => random.below(joined))
  return drawn.reduce((one, other) => (energyOf(other) > energyOf(one) ? other : one))
}

/** A moment of a community's life, and who and what is there by then. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly time: number
  /** How many of the members have joined. */
  readonly joined: number
  /** How many of the world's series have begun. */
  readonly begun: number
}
