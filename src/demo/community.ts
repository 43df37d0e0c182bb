import type { Database } from 'bun:sqlite'
import type { World } from './history/world'
import type { Member } from './members/members'
import type { Random } from './random'

/** A community that is being written into a database. A member's id there is its place after the first one's. */
export interface Community {
  readonly handle: Database
  readonly world: World
  readonly members: readonly Member[]
  readonly firstUserId: number
  /** A sequence of random numbers for one part of the work. */
  random(part: string): Random
  /** Is told now and then what is being done. */
  onProgress(text: string): void
}
