import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { prepared } from '../../db/prepared'
import type { StatusKind } from '../statuses'
import type { ListedAct } from './act'
import { subjectNames, withWork } from './find-acts'

/** What an application wrote, which can be undone as an act can (D122). `id` is that of the activity about it. */
export interface WrittenByApplication
  extends Pick<ListedAct, 'id' | 'workId' | 'episodeId' | 'count' | 'statusKind' | 'createdAt'>,
    Pick<
      ListedAct,
      'title' | 'titleKana' | 'titleRo' | 'titleEn' | 'number' | 'numberText' | 'episodeTitle'
    > {
  readonly kind: 'record' | 'viewing' | 'review' | 'status'
  readonly work: CoveredWork
  /** The name of the application, or the description of a personal access token; null if its access has ended. */
  readonly by: string | null
}

/** Newest first, from those before the activity `before`; at most 10,000 activities back. */
export async function listWritten(
  read: Read,
  userId: number,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly WrittenByApplication[]> {
  const rows = await someWritten(read, { userId, before, limit })
  return rows.map(withWork)
}

type WrittenRow = Omit<WrittenByApplication, 'work'> & Omit<CoveredWork, 'id'>

const lastRecord = sql<number>`ifnull(activities.record_id, (
  select max(record_id) from activity_records where activity_id = activities.id))`

const kind = sql<WrittenByApplication['kind']>`case
  when status_kind is not null then 'status'
  when review_id is null then 'record'
  when exists (select 1 from reviews where id = review_id and watched_at is not null) then 'viewing'
  else 'review' end`

/** Uses activities_user. */
const someWritten = prepared<WrittenRow, { userId: number; before: number; limit: number }>((read, slot) =>
  read
    .selectFrom(({ selectFrom }) =>
      selectFrom('activities')
        .select(['id', 'token_id'])
        .where('user_id', '=', slot('userId'))
        .where('id', '<', slot('before'))
        .orderBy('id', 'desc')
        .limit(10_000)
        .as('own'),
    )
    .innerJoin('activities', 'activities.id', 'own.id')
    .innerJoin('works', 'works.id', 'activities.work_id')
    .leftJoin('records', (join) => join.on('records.id', '=', lastRecord))
    .leftJoin('episodes', 'episodes.id', 'records.episode_id')
    .leftJoin('applications', 'applications.id', 'activities.application_id')
    .leftJoin('tokens', 'tokens.id', 'activities.token_id')
    .select(['activities.id', 'activities.work_id as workId', 'episodes.id as episodeId'])
    .select([kind.as('kind'), 'activities.created_at as createdAt'])
    .select(sql<StatusKind | null>`activities.status_kind`.as('statusKind'))
    .select(
      sql<number>`iif(action = 'create_multiple_records', (
        select count(*) from activity_records where activity_id = activities.id), 1)`.as('count'),
    )
    .select(sql<string | null>`ifnull(applications.name, tokens.description)`.as('by'))
    .select(subjectNames)
    .select(coverColumns(slot('userId')))
    .where('own.token_id', 'is not', null)
    .orderBy('own.id', 'desc')
    .limit(slot('limit')),
)
