import { chosenTitle } from '../../pages/title'
import type { Visit } from '../../web/visit'
import type { ShownWork } from './find-work'
import type { OwnState } from './own-state'
import type { Progress } from './progress'

/** What several parts of a work's page need. */
export interface WorkView {
  readonly visit: Visit
  readonly work: ShownWork
  /** 0 for visitors. */
  readonly userId: number
  readonly own: OwnState
  readonly progress: Progress
  /** When episodes were first broadcast, by their ids, in epoch milliseconds. */
  readonly starts: ReadonlyMap<number, number>
}

/** The title as plain text, for the names of buttons. */
export const nameOf = ({ visit, work }: Pick<WorkView, 'visit' | 'work'>): string =>
  chosenTitle(visit, work).text
