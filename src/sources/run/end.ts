import type { AnySource, SourceState } from '../source'
import type { BegunRun } from './journal'
import type { RunReport } from './report'
import type { Outcome } from './runs'
import { fraction, keepSource, sourceRow } from './settings'
import type { RunTools } from './tools'

export interface Ending {
  readonly outcome: Outcome
  /** Why nothing was imported, in one line. */
  readonly message: string | null
  readonly report: RunReport | null
  /** For the next run; undefined if it is unchanged. */
  readonly state?: SourceState | undefined
}

/** Stores the outcome of a run and the time of the next one. */
export async function endRun(
  { store, now, random }: RunTools,
  source: AnySource,
  run: BegunRun,
  { outcome, message, report, state }: Ending,
  { isReplay }: { readonly isReplay: boolean },
): Promise<void> {
  const ended_at = now()
  const nextRunAt = (failures: number) =>
    source.intervalMs === undefined ? null : ended_at + pauseMs(source.intervalMs, failures, fraction(random))
  await store.write(async (tx) => {
    await tx
      .updateTable('catalogue_runs')
      .set({ ended_at, outcome, message, report: report && JSON.stringify(report) })
      .where('id', '=', run.id)
      .execute()
    if (run.isDryRun || isReplay) return
    const before = await sourceRow(tx, source.name)
    const failures = isWell(outcome) ? 0 : (before?.failures ?? 0) + 1
    await keepSource(tx, source.name, {
      failures,
      next_run_at: before?.is_enabled === 1 ? nextRunAt(failures) : null,
      ...(state === undefined ? {} : { state: JSON.stringify(state) }),
    })
  })
}

export const isWell = (outcome: Outcome | null): boolean => outcome === 'done' || outcome === 'unchanged'

/** 0.8 to 1.2 times the interval, doubled per three failed runs in a row, up to 30 days. `drawn` is from 0 to 1. */
function pauseMs(intervalMs: number, failures: number, drawn: number): number {
  const longest = Math.max(intervalMs, 30 * 86_400_000)
  const interval = Math.min(intervalMs * 2 ** Math.floor(failures / 3), longest)
  return Math.round(interval * (0.8 + 0.4 * drawn))
}
