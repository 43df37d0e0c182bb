import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import { currentLap } from '../../library/laps'
import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'

export interface OwnState {
  readonly kind: StatusKind | null
  readonly lap: number
  readonly note: string
  /** From the newest review or viewing with a rating. */
  readonly rating: RatingState | null
}

export async function ownState(read: Read, user: number, work: number): Promise<OwnState> {
  const [state] = await select(read, { user, work })
  return state ?? { kind: null, lap: 1, note: '', rating: null }
}

const select = prepared((read, slot: SlotOf<{ user: number; work: number }>) => {
  const own = sql`user_id = ${slot('user')} and work_id = ${slot('work')}`
  return read.selectNoFrom([
    sql<StatusKind | null>`(select kind from statuses where ${own})`.as('kind'),
    currentLap(slot('user'), slot('work')).as('lap'),
    sql<string>`ifnull((select text from notes where ${own}), '')`.as('note'),
    sql<RatingState | null>`(select rating_overall_state from reviews indexed by reviews_user
      where ${own} and rating_overall_state is not null order by id desc limit 1)`.as('rating'),
  ])
})
