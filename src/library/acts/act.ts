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
  'mark',
  'share',
  'viewing',
  'edit_viewing',
  'delete_viewing',
  'rating',
  'lap',
  'episode',
  'note',
  'past',
  'slot',
  'play',
  'comment',
  'delete_comment',
  'favorite',
  'delete_favorite',
  'move_favorite',
  'list',
  'list_work',
  'year_share',
  'year_unshare',
  'follow',
  'unfollow',
  'mute',
  'unmute',
  'block',
  'unblock',
] as const
export type ActKind = (typeof actKinds)[number]

/** How long what was done can be undone, in milliseconds. */
export const keptMs = 30 * 86_400_000

/** Something a user did on a page, which can be undone for 30 days. Times are epoch milliseconds. */
export interface Act {
  readonly id: number
  readonly kind: ActKind
  /** 0 if it concerns no work. */
  readonly workId: number
  /** 0 if it concerns no list. */
  readonly listId: number
  /** Null if it is about nobody else. */
  readonly otherId: number | null
  /** The last episode concerned. */
  readonly episodeId: number | null
  /**
   * How many episodes were recorded, or how many works were given a status, a mark or a rating, or were put into a list or out
   * of it, at once. Of a follow and its end: 1 if it was asked for, or had been accepted, as the profile is private.
   */
  readonly count: number
  /** The status that was set; null also if one was removed. */
  readonly statusKind: StatusKind | null
  readonly createdAt: number
  readonly undoneAt: number | null
  /** The act recorded the last known episode of a list that is not estimated, and the status is not watched. */
  readonly offersWatched: boolean
}

/** What an act did to a list, by its changes; null once it is undone, which forgets them. */
export type ListDeed = 'made' | 'edited' | 'deleted' | 'added' | 'removed' | 'moved' | 'noted'

export interface ListedAct extends Act {
  /** Of the list; null if no list is concerned, or one that went with the undo of what made it. */
  readonly listName: string | null
  readonly listDeed: ListDeed | null
  readonly title: string
  readonly titleKana: string
  readonly titleRo: string
  readonly titleEn: string
  /** Null if no episode is concerned or it no longer exists. */
  readonly number: string | null
  readonly numberText: string | null
  readonly episodeTitle: string | null
  /** Undefined if no work is concerned; the titles are then blank. */
  readonly work: CoveredWork | undefined
  /** The username of the person whom it is about; null if they no longer exist. */
  readonly otherName: string | null
}

export interface UndoneAct extends Act {
  /** It had been undone already: nothing changed. */
  readonly wasUndone: boolean
}

export interface ActDeps extends Pick<Deps, 'write' | 'warmRead' | 'now' | 'wallClock'> {
  /** The press that does it: the same one is not done again (D107). */
  readonly formId?: string | undefined
  /** When it was pressed, if that was before now, in epoch milliseconds (D108). */
  readonly doneAt?: number | undefined
}

/** The press was received before, and its act is gone: acts are kept for 30 days, receipts for 90. */
export class ForgottenAct extends Error {
  constructor(readonly actId: number) {
    super('done')
  }
}

/** There was nothing to change: no act is written. */
export class NothingChanged extends ApiError {
  constructor(readonly kind: ActKind) {
    super('invalid_params', ['This would change nothing.'])
  }
}

/** The status has changed since the press, which was sent late: it stays (D108). */
export class StatusChangedSince extends ApiError {
  constructor() {
    super('invalid_params', ['The status of work_id was changed after done_at.'])
  }
}

/** The episode already has a record in the current lap, and the request was to record it once. */
export class RecordedBefore extends ApiError {
  constructor() {
    super('invalid_params', ['episode_id must be an episode that is not recorded in the current lap.'])
  }
}
