import type { Deps } from '../../deps'
import { listsOf } from '../../transfer/batch/lists-of'

/** Goes on with imports of lists that were interrupted, and lets old previews expire: at the start and once an hour. */
export function startListJobs(deps: Deps): { stop(): Promise<void> } {
  const lists = listsOf(deps)
  const resume = () => void lists.resume().catch((cause) => deps.log('list_failed', { why: String(cause) }))
  resume()
  const timer = setInterval(resume, 3_600_000).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await lists.close()
    },
  }
}
