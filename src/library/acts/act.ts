import type { CoveredWork } from '../../catalogue/cover-path'
import type { Deps } from '../../deps'
import { ApiError } from '../../http/errors'
import type { StatusKind } from '../statuses'

export const actKinds = [
  'record',
  'edit_record',
  'delete_record',
  'skip',
  'status',
  'viewing',
  'edit_viewing',
  'delete_viewing',
  'rating',
  'lap',
  'episode',
  'note',
] as const
export type ActKind = (typeof actKinds)[number]

/** Something a user did on a page, which can be undone for 30 days. Times are epoch milliseconds. */
export interface Act {
  readonly id: number
  readonly kind: ActKind
  readonly workId: number
  /** The last episode concerned. */
  readonly episodeId: number | null
  /** How many episodes were recorded, or how many works were given a status or a rating at once. */
  readonly count: number
  /** The status that was set; null also if one was removed. */
  readonly statusKind: StatusKind | null
  readonly createdAt: number
  readonly undoneAt: number | null
  /** The act recorded the last known episode of a list that is not estimated, and the status is not watched. */
  readonly offersWatched: boolean
}

export interface ListedAct extends Act {
  readonly title: string
  readonly titleKana: string
  readonly titleRo: string
  readonly titleEn: string
  /** Null if no episode is concerned or it no longer exists. */
  readonly number: string | null
  readonly numberText: string | null
  readonly episodeTitle: string | null
  readonly work: CoveredWork
}

export interface UndoneAct extends Act {
  /** It had been undone already: nothing changed. */
  readonly wasUndone: boolean
}

export type ActDeps = Pick<Deps, 'write' | 'warmRead' | 'now' | 'wallClock'>

/** changed: the rows have changed since. used: other rows or later acts refer to them. expired: after 30 days. */
export type UndoProblem = 'changed' | 'used' | 'expired'

export class UndoRefused extends ApiError {
  constructor(readonly problem: UndoProblem) {
    super('invalid_params', [`act_id must be an act that can be undone: ${reasons[problem]}.`])
  }
}

/** The episode already has a record in the current lap, and the request was to record it once. */
export class RecordedBefore extends ApiError {
  constructor() {
    super('invalid_params', ['episode_id must be an episode that is not recorded in the current lap.'])
  }
}

const reasons: Readonly<Record<UndoProblem, string>> = {
  changed: 'what it changed was changed since',
  used: 'what it made is in use',
  expired: 'this one is older than 30 days',
}
