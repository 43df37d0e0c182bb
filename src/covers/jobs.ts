import { internet, type Outside } from '../fetching/outside'
import { type Job, repeat } from '../lib/repeat'
import { version } from '../version'
import { type FetchTools, fetchNextCover } from './fetch/fetch-cover'
import { createFetcher } from './fetch/fetcher'
import { sweepFiles } from './images/unused'

/** Deletes files without a row, at the start and once an hour; with `--fetch-images` fetches two covers a minute. */
export function startPictureJobs(deps: FetchTools, outside: Outside = internet): Job {
  const failed = (cause: unknown) => deps.log('pictures_failed', { why: String(cause) })
  const sweeping = repeat({ work: () => sweepFiles(deps), pauseMs: () => 3_600_000, failed })
  if (!deps.config.fetchImages) return sweeping
  const fetcher = createFetcher(outside, `kiroku/${version} (+${deps.config.baseUrl})`)
  let hasMore = true
  const fetchOne = async () => {
    hasMore = await fetchNextCover(deps, fetcher)
  }
  const fetching = repeat({ work: fetchOne, pauseMs: () => (hasMore ? 30_000 : 3_600_000), failed })
  return {
    stop: async () => {
      fetcher.stop()
      await Promise.all([sweeping.stop(), fetching.stop()])
    },
  }
}
