import { sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import { finishedOn, startedOn } from '../../library/status-dates'
import type { StatusKind } from '../../library/statuses'

interface StatusOfWork {
  readonly kind: StatusKind
  /** As somebody said; null where records tell. */
  readonly started_on: string | null
  readonly finished_on: string | null
  /** As they are shown. */
  readonly started: string | null
  readonly finished: string | null
}

/** With its dates (D71). */
export const statusOfWork = preparedSql<StatusOfWork, { user: number; work: number }>(
  (slot) => sql<StatusOfWork>`
    select kind, started_on, finished_on, ${startedOn} as started, ${finishedOn} as finished
    from statuses join works on works.id = statuses.work_id
    where statuses.user_id = ${slot('user')} and statuses.work_id = ${survivor('works', slot('work'))}`,
)
