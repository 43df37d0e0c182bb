import { loadDefaultCatalogue } from '../catalogue/default-catalogue'
import { applyEstimates } from '../catalogue/estimate/apply-estimates'
import type { Store } from '../db/open'
import type { Log } from '../log'
import { createProgress } from './progress'

/** Loads the catalogue that came with this executable, unless it is there; a server starts without it if it must. */
export async function loadCatalogue({ handle }: Store, now: () => number, log: Log): Promise<void> {
  const progress = createProgress()
  const show = (lines: number) =>
    progress.show(`loading the default catalogue: ${lines.toLocaleString('en')} lines`)
  const report = await loadDefaultCatalogue(handle, now(), show).finally(progress.end)
  if (report === undefined) return
  const [first] = report.problems
  if (report.failed) log('catalogue_refused', { problems: report.problemsCount, first: first?.message })
  else log('catalogue_loaded', { lines: report.lines })
}

/** Brings what follows from the works' dates up to the present day: soon after the start, and once a day. */
export function keepEstimates({ handle, write }: Store, now: () => number, log: Log): void {
  // The writer's turn, since it is the writer's connection.
  const refresh = async () => {
    const { episodes, programs } = await write(async () => applyEstimates(handle, now()))
    if (episodes + programs > 0) log('estimated', { episodes, programs })
  }
  const tryRefresh = () => refresh().catch((cause) => log('estimates_failed', { why: String(cause) }))
  // Not while starting: it takes some 50 ms, and the first requests are waiting.
  setTimeout(tryRefresh, 1000).unref()
  setInterval(tryRefresh, 86_400_000).unref()
}
