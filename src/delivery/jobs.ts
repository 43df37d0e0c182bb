import type { Deps } from '../deps'
import { type Job, repeat } from '../lib/repeat'
import { sweepNewEpisodes, tellNewEpisodes } from './new-episodes'

/** Tells people of new episodes every 10 seconds (D84), and forgets once an hour what they read long ago. */
export function startDelivery(deps: Deps): Job {
  const failed = (cause: unknown) => deps.log('news_failed', { why: String(cause) })
  const jobs = [
    repeat({ work: () => tellNewEpisodes(deps), pauseMs: () => 10_000, failed }),
    repeat({ work: () => sweepNewEpisodes(deps), pauseMs: () => 3_600_000, failed }),
  ]
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
