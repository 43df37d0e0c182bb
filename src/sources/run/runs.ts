import type { Read } from '../../db/open'
import type { RunScope } from '../source'
import type { RunReport } from './report'

export type Cause = 'schedule' | 'command' | 'page'

export type Outcome =
  | 'done'
  | 'unchanged'
  | 'unreachable'
  | 'not_understood'
  | 'held_back'
  | 'refused'
  | 'failed'

export interface SourceRun {
  readonly id: number
  readonly source: string
  readonly cause: Cause
  readonly isDryRun: boolean
  readonly scope: RunScope
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Null while it is running and after an interruption, which sets `message`. */
  readonly endedAt: number | null
  readonly outcome: Outcome | null
  /** Why nothing was imported, in one line. */
  readonly message: string | null
  readonly requests: number
  readonly notModified: number
  readonly bytes: number
  readonly report: RunReport | null
}

export const isRunning = ({ endedAt, message }: Pick<SourceRun, 'endedAt' | 'message'>): boolean =>
  endedAt === null && message === null

export const outcomeOf = (run: Pick<SourceRun, 'outcome' | 'endedAt' | 'message'>): string =>
  (run.outcome ?? (isRunning(run) ? 'running' : 'interrupted')).replaceAll('_', ' ')

/** Newest first; of one source, or of all. */
export async function lastRuns(read: Read, limit: number, source?: string): Promise<SourceRun[]> {
  let query = selectRuns(read).orderBy('id', 'desc').limit(limit)
  // uses catalogue_runs_source
  if (source !== undefined) query = query.where('source', '=', source)
  return (await query.execute()).map(runOf)
}

/** The newest run of a source, ignoring dry runs. */
export async function lastRun(read: Read, source: string): Promise<SourceRun | undefined> {
  // uses catalogue_runs_source
  const ofSource = selectRuns(read).where('source', '=', source).where('is_dry_run', '=', 0)
  const row = await ofSource.orderBy('id', 'desc').executeTakeFirst()
  return row && runOf(row)
}

export async function findRun(read: Read, id: number): Promise<SourceRun | undefined> {
  const row = await selectRuns(read).where('id', '=', id).executeTakeFirst()
  return row && runOf(row)
}

const selectRuns = (read: Read) =>
  read
    .selectFrom('catalogue_runs')
    .select(['id', 'source', 'is_dry_run', 'scope', 'message', 'requests', 'bytes', 'report'])
    .select(['started_at as startedAt', 'ended_at as endedAt', 'not_modified as notModified'])
    .select(({ ref }) => [
      ref('cause').$castTo<Cause>().as('cause'),
      ref('outcome').$castTo<Outcome | null>().as('outcome'),
    ])

type Stored = { readonly is_dry_run: number; readonly scope: string; readonly report: string | null }

const runOf = ({
  is_dry_run,
  scope,
  report,
  ...run
}: Omit<SourceRun, 'isDryRun' | 'scope' | 'report'> & Stored): SourceRun => ({
  ...run,
  isDryRun: is_dry_run === 1,
  scope: JSON.parse(scope),
  report: report === null ? null : JSON.parse(report),
})
