import type { Deps } from '../deps'
import { type Job, repeat } from '../lib/repeat'
import { remindOfMeetings } from '../social/meetings/watched'
import { sweepNotifications } from '../social/notify'
import { collectNews } from './collect'
import { sendDue } from './deliver'
import { sendDigests } from './digest'
import { sweepNewEpisodes, tellNewEpisodes } from './new-episodes'
import { dropStale, sweepOutgoing } from './queue'
import { wayOut } from './way-out'

/**
 * Every 10 seconds tells people of new episodes (D84) and of dates that begin (D79), and sends news to where they want them (D85), by e-mail in the morning; once an hour forgets
 * what is old.
 */
export function startDelivery(deps: Deps): Job {
  const failed = (cause: unknown) => deps.log('news_failed', { why: String(cause) })
  const ending = new AbortController()
  let isFirst = true
  const deliver = async () => {
    if (isFirst) await dropStale(deps)
    isFirst = false
    await collectNews(deps)
    await sendDue(deps, wayOut(deps), ending.signal)
  }
  const jobs = [
    repeat({ work: () => tellNewEpisodes(deps), pauseMs: () => 10_000, failed }),
    repeat({ work: () => sendDigests(deps), pauseMs: () => 30_000, failed }),
    repeat({ work: () => remindOfMeetings(deps), pauseMs: () => 10_000, failed }),
    repeat({
      work: deliver,
      pauseMs: () => 10_000,
      failed: (cause) => ending.signal.aborted || failed(cause),
    }),
    repeat({
      work: async () => {
        await sweepNewEpisodes(deps)
        await sweepOutgoing(deps)
        await sweepNotifications(deps)
      },
      pauseMs: () => 3_600_000,
      failed,
    }),
  ]
  return {
    stop: async () => {
      ending.abort(new Error('the server stops'))
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
