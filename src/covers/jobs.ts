import { internet, type Outside } from '../fetching/outside'
import { version } from '../version'
import { type FetchTools, fetchNextCover } from './fetch/fetch-cover'
import { createFetcher } from './fetch/fetcher'
import { sweepFiles } from './images/unused'

export interface PictureJobs {
  stop(): Promise<void>
}

/** Deletes files without a row, at the start and once an hour; with `--fetch-images` fetches two covers a minute. */
export function startPictureJobs(deps: FetchTools, outside: Outside = internet): PictureJobs {
  const sweeping = repeat(
    () => sweepFiles(deps),
    () => 3_600_000,
    deps,
  )
  if (!deps.config.fetchImages) return sweeping
  const fetcher = createFetcher(outside, `kiroku/${version} (+${deps.config.baseUrl})`)
  let hasMore = true
  const fetchOne = async () => {
    hasMore = await fetchNextCover(deps, fetcher)
  }
  const fetching = repeat(fetchOne, () => (hasMore ? 30_000 : 3_600_000), deps)
  return {
    stop: async () => {
      fetcher.stop()
      await Promise.all([sweeping.stop(), fetching.stop()])
    },
  }
}

/** Runs after a second, so that the first requests are not delayed, then `pauseMs` after the end of each run. */
function repeat(work: () => Promise<void>, pauseMs: () => number, { log }: FetchTools): PictureJobs {
  let running = Promise.resolve()
  let isStopping = false
  let timer: ReturnType<typeof setTimeout>
  const plan = (ms: number) => {
    timer = setTimeout(() => {
      running = work()
        .catch((cause) => log('pictures_failed', { why: String(cause) }))
        .then(() => {
          if (!isStopping) plan(pauseMs())
        })
    }, ms)
    timer.unref()
  }
  plan(1000)
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await running
    },
  }
}
