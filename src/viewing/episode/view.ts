import type { Visit } from '../../web/visit'
import type { ShownWork } from '../work/find-work'
import type { ShownEpisode } from './find-episode'
import type { OwnRecord } from './own-records'

/** All that several parts of the page of an episode need. */
export interface EpisodeView {
  readonly visit: Visit
  readonly work: ShownWork
  readonly episode: ShownEpisode
  /** 0 for visitors. */
  readonly userId: number
  readonly lap: number
  /** One's own, the newest first. */
  readonly records: readonly OwnRecord[]
}
