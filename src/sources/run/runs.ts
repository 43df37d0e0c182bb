import type { Read } from '../../db/open'
import type { Scope } from '../source'
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

export interface Run {
  readonly id: number
  readonly source: string
  readonly cause: Cause
  readonly isDryRun: boolean
  readonly scope: Scope
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Null while it goes on, and where it was interrupted: then with a message. */
  readonly endedAt: number | null
  readonly outcome: Outcome | null
  /** Why nothing was taken, in one line. */
  readonly message: string | null
  readonly requests: number
  readonly notModified: number
  readonly bytes: number
  readonly report: RunReport | null
}

export const isRunning = ({ endedAt, message }: Pick<Run, 'endedAt' | 'message'>): boolean =>
  endedAt === null && message === null

export const outcomeOf = (run: Pick<Run, 'outcome' | 'endedAt' | 'message'>): string =>
  (run.outcome ?? (isRunning(run) ? 'running' : 'interrupted')).replaceAll('_', ' ')

/** The newest first; of one source, or of all. */
export async function lastRuns(read: Read, limit: number, source?: string): Promise<Run[]> {
  let query = read.selectFrom('catalogue_runs').select(columns).orderBy('id', 'desc').limit(limit)
  // uses catalogue_runs_source
  if (source !== undefined) query = query.where('source', '=', source)
  return (await query.execute()).map(runOf)
}

/** The newest of a source, dry runs apart. */
export async function lastRun(read: Read, source: string): Promise<Run | undefined> {
  const row = await read
    .selectFrom('catalogue_runs') // uses catalogue_runs_source
    .select(columns)
    .where('source', '=', source)
    .where('is_dry_run', '=', 0)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row && runOf(row)
}

export async function findRun(read: Read, id: number): Promise<Run | undefined> {
  const row = await read.selectFrom('catalogue_runs').select(columns).where('id', '=', id).executeTakeFirst()
  return row && runOf(row)
}

const columns = [
  ...(['id', 'source', 'cause', 'is_dry_run', 'scope', 'started_at', 'ended_at', 'outcome'] as const),
  ...(['message', 'requests', 'not_modified', 'bytes', 'report'] as const),
] as const

interface Row {
  readonly id: number
  readonly source: string
  readonly cause: string
  readonly is_dry_run: number
  readonly scope: string
  readonly started_at: number
  readonly ended_at: number | null
  readonly outcome: string | null
  readonly message: string | null
  readonly requests: number
  readonly not_modified: number
  readonly bytes: number
  readonly report: string | null
}

const runOf = (row: Row): Run => ({
  id: row.id,
  source: row.source,
  cause: causes.find((cause) => cause === row.cause) ?? 'command',
  isDryRun: row.is_dry_run === 1,
  scope: JSON.parse(row.scope),
  startedAt: row.started_at,
  endedAt: row.ended_at,
  outcome: outcomes.find((outcome) => outcome === row.outcome) ?? null,
  message: row.message,
  requests: row.requests,
  notModified: row.not_modified,
  bytes: row.bytes,
  report: row.report === null ? null : JSON.parse(row.report),
})

export const causes: readonly Cause[] = ['schedule', 'command', 'page']

const outcomes: readonly Outcome[] = [
  ...(['done', 'unchanged', 'unreachable', 'not_understood', 'held_back', 'refused', 'failed'] as const),
]
