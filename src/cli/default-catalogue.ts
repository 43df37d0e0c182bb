import { loadDefaultCatalogue } from '../catalogue/default-catalogue'
import { applyEstimates } from '../catalogue/estimate/apply-estimates'
import type { Store } from '../db/open'
import { isoTime } from '../lib/time'
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

/**
 * Brings what follows from the works' dates up to the present day: soon after the start, unless that was done today, and
 * then once a day.
 */
export function keepEstimates(store: Store, now: () => number, log: Log): void {
  const refresh = () =>
    estimate(store, now(), log).catch((cause) => log('estimates_failed', { why: String(cause) }))
  // Not while starting: it takes some 50 ms, and the first requests are waiting.
  setTimeout(refresh, 1000).unref()
  setInterval(refresh, 86_400_000).unref()
}

/** In the writer's turn, since it is the writer's connection; no more than once a day (UTC). */
async function estimate({ read, write, handle }: Store, now: number, log: Log): Promise<void> {
  const today = isoTime(now).slice(0, 10)
  const known = await read.selectFrom('instance').select('value').where('name', '=', 'estimated_on').execute()
  if (known[0]?.value === today) return
  const { episodes, programs } = await write(async (tx) => {
    const row = { name: 'estimated_on', value: today }
    await tx
      .insertInto('instance')
      .values(row)
      .onConflict((conflict) => conflict.doUpdateSet(row))
      .execute()
    return applyEstimates(handle, now)
  })
  if (episodes + programs > 0) log('estimated', { episodes, programs })
}
