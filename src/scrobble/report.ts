import type { SaidPlay } from '../transfer/match/said-play'

export const players = ['jellyfin', 'plex', 'emby', 'kodi', 'tautulli', 'trakt', 'generic'] as const
export type Player = (typeof players)[number]

/** What a request of a player says. */
export interface PlayerReport {
  /** '' if it does not say whose play it is. */
  readonly user: string
  /** Several for a file with several episodes, or for a history. */
  readonly plays: readonly ReportedPlay[]
  /** From 0 to 10, for a rating instead of a play; 0 removes it. */
  readonly rating?: number | undefined
  /** How far it was played, if the player leaves it to us whether that is enough. */
  readonly percent?: number | undefined
  /** Read from the name of a file: too little to record anything. */
  readonly isGuess?: true | undefined
}

/** Texts have at most 500 characters, so that a report can be kept. */
export interface ReportedPlay extends SaidPlay {
  /** Epoch milliseconds. */
  readonly watchedAt?: number | undefined
}

export type IgnoredReason =
  | 'event'
  | 'not_completed'
  | 'unplayed'
  | 'not_video'
  | 'user'
  | 'paused'
  | 'left_out'

/** A request that is about no play. */
export interface IgnoredReport {
  readonly ignored: IgnoredReason
  readonly user: string
}

export const ignored = (reason: IgnoredReason, user = ''): IgnoredReport => ({ ignored: reason, user })

/** The request's object, and the path after the secret: '' or `/scrobble/stop`. */
export type PlayerReader = (
  body: Readonly<Record<string, unknown>>,
  path: string,
) => PlayerReport | IgnoredReport
