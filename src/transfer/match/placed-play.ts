import type { KnownWork } from './known-work'
import type { GroupRule } from './place-in-group'

/** What decided which work it is: the person, a mapping file, an id of one work, or what else was said. */
export type PlaceRule = 'taught' | 'mapping' | 'work_id' | 'title' | 'own_title' | GroupRule

export interface PlacedPlay {
  readonly work: KnownWork
  /** Null for a work that is watched as a whole. */
  readonly episode: number | null
  readonly rule: PlaceRule
}

export type UnplacedReason =
  | 'no_work'
  | 'several_works'
  | 'contradiction'
  | 'title_only'
  | 'special'
  | 'no_episode'
  | 'numbering'

export interface UnplacedPlay {
  readonly reason: UnplacedReason
  /** At most five, likely ones first. */
  readonly proposals: readonly KnownWork[]
}

export const placed = (work: KnownWork, episode: number, rule: PlaceRule): PlacedPlay => ({
  work,
  episode: work.isWhole ? null : episode,
  rule,
})

export const unplaced = (reason: UnplacedReason, works: readonly KnownWork[]): UnplacedPlay => ({
  reason,
  proposals: [...new Map(works.map((work) => [work.id, work])).values()].slice(0, 5),
})
