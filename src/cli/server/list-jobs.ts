import type { Deps } from '../../deps'
import { listsOf } from '../../transfer/batch/lists-of'

/**
 * Continues interrupted list imports and expires old previews: a second after the start, then once an hour.
 */
export function startListJobs(deps: Deps): { stop(): Promise<void> } {
  const lists = listsOf(deps)
  const resume = () => void lists.resume().catch((cause) => deps.log('list_failed', { why: String(cause) }))
  const timers = [setTimeout(resume, 1000).unref(), setInterval(resume, 3_600_000).unref()]
  return {
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await lists.close()
    },
  }
}
