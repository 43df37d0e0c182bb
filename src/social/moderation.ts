import { sql } from 'kysely'
import type { Read } from '../db/open'
import type { Deps } from '../deps'

export const reportStates = ['open', 'closed'] as const
export type ReportState = (typeof reportStates)[number]

const pageLength = 30

/**
 * Open ones oldest first, since the first is the next to decide; closed ones newest first. `after` is the last id of the page
 * before. Times are epoch milliseconds.
 */
export async function listReports(
  read: Read,
  { state, after }: { state: ReportState; after: number | undefined },
): Promise<{ readonly reports: readonly ListedReport[]; readonly hasMore: boolean }> {
  const rows = await reportRows(read)
    .$if(state === 'open', (query) =>
      query
        .where('reports.closed_at', 'is', null) // uses reports_open
        .where('reports.id', '>', after ?? 0)
        .orderBy('reports.id'),
    )
    .$if(state === 'closed', (query) =>
      query
        .where('reports.closed_at', 'is not', null)
        .where('reports.id', '<', after ?? Number.MAX_SAFE_INTEGER)
        .orderBy('reports.id', 'desc'),
    )
    .limit(pageLength + 1)
    .execute()
  return { reports: rows.slice(0, pageLength), hasMore: rows.length > pageLength }
}

export type ListedReport = Awaited<ReturnType<ReturnType<typeof reportRows>['execute']>>[number]

export const findReport = (read: Read, id: number) =>
  reportRows(read).where('reports.id', '=', id).executeTakeFirst()

const reportRows = (read: Read) =>
  read
    .selectFrom('reports')
    .innerJoin('users as reporter', 'reporter.id', 'reports.reporter_id')
    .innerJoin('users as writer', 'writer.id', 'reports.user_id')
    .leftJoin('users as closer', 'closer.id', 'reports.closed_by')
    .select(['reports.id', 'reports.user_id', 'reports.record_id', 'reports.review_id', 'reports.comment_id'])
    .select(['reason', 'text'])
    .select(['copy', 'reports.created_at', 'closed_at', 'closed_by', 'outcome'])
    .select(['reporter.username as reporter', 'writer.username', 'writer.disabled_at'])
    .select('closer.username as closer')
    // uses reports_user
    .select(
      sql<number>`(select count(*) from reports as other where other.user_id = reports.user_id
        and other.id < reports.id)`.as('earlier'),
    )

export async function countOpenReports(read: Read): Promise<number> {
  const { count } = await read
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('closed_at', 'is', null) // uses reports_open
    .executeTakeFirstOrThrow()
  return count
}

/** Closes it and leaves what it is about as it is. False if it is not open. */
export async function dismissReport(
  { write, now }: Pick<Deps, 'write' | 'now'>,
  { id, by }: { readonly id: number; readonly by: number },
): Promise<boolean> {
  const closed = await write((tx) =>
    tx
      .updateTable('reports')
      .set({ closed_at: now(), closed_by: by, outcome: 'dismissed' })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning('id')
      .execute(),
  )
  return closed.length > 0
}
