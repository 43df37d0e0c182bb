import { sql } from 'kysely'
import type { Viewer } from '../api/bearer'
import { prepared, preparedSql, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { privateOr } from './flags'

/** The application that writes, by its token (D122). */
export type WritingToken = { readonly token_id: number | null; readonly application_id: number | null }

export const writingTokenOf = ({
  tokenId,
  applicationId,
}: Pick<Viewer, 'tokenId' | 'applicationId'>): WritingToken => ({
  token_id: tokenId,
  application_id: applicationId,
})

type ActivityColumns = {
  user_id: number
  work_id: number
  action: 'create_record' | 'create_multiple_records' | 'create_review' | 'create_status'
  record_id: number | null
  review_id: number | null
  status_kind: string | null
  created_at: number
  token_id: number | null
  application_id: number | null
}

/** D26. `created_at` is in epoch milliseconds. Without a token it is of a page. */
export type NewActivity = Pick<ActivityColumns, 'user_id' | 'work_id' | 'action' | 'created_at'> &
  Partial<ActivityColumns>

export const activityColumns = (activity: NewActivity): ActivityColumns => ({
  record_id: null,
  review_id: null,
  status_kind: null,
  token_id: null,
  application_id: null,
  ...activity,
})

/** Returns its id. */
export async function insertActivity(tx: Tx, activity: NewActivity): Promise<number> {
  const [made] = await insert(tx, activityColumns(activity))
  return made?.id ?? 0
}

const insert = prepared((tx: Tx, slot: SlotOf<ActivityColumns>) =>
  tx
    .insertInto('activities')
    .values({
      user_id: slot('user_id'),
      work_id: slot('work_id'),
      action: slot('action'),
      record_id: slot('record_id'),
      review_id: slot('review_id'),
      status_kind: slot('status_kind'),
      created_at: slot('created_at'),
      token_id: slot('token_id'),
      application_id: slot('application_id'),
    })
    .returning('id'),
)

type StatusActivity = {
  user_id: number
  work_id: number
  kind: string
  now: number
  private: number | null
  token_id: number | null
  application_id: number | null
}

/**
 * The activity about a status, before it is set; none if the work has it already (D36). If an application sets it, with the
 * status before, for its undo.
 */
export const insertStatusActivity = preparedSql<{ id: number }, StatusActivity>((slot) => {
  const own = sql`user_id = ${slot('user_id')} and work_id = ${slot('work_id')}`
  return sql`
    insert into activities (user_id, work_id, action, status_kind, created_at, token_id, application_id, private, former)
    select ${slot('user_id')}, ${slot('work_id')}, 'create_status', ${slot('kind')}, ${slot('now')}, ${slot('token_id')},
      ${slot('application_id')}, ${privateOr(sql`ifnull(${slot('private')}, (select private from statuses where ${own}))`, slot('user_id'))},
      iif(${slot('token_id')} is null, null, ifnull((
        select json_object('kind', kind, 'changed_at', changed_at, 'started_on', started_on, 'finished_on', finished_on,
          'rewatches', rewatches, 'private', private) from statuses where ${own}), (select 'null' from library_entries where ${own})))
    where not exists (select 1 from statuses where ${own} and kind = ${slot('kind')})
    returning id`
})
