import { setTimeout as wait } from 'node:timers/promises'
import { internet, type Outside } from '../../fetching/outside'
import { isLoopback } from '../../lib/network'
import { answerOf, type Busy } from './answer'
import type { Asked, Fetched, SourceFetchTools } from './asked'
import { type Exchange, exchange } from './exchange'
import { headersOf } from './headers'
import { usualLimits } from './limits'
import { waitForTurn } from './pace'
import { SourceRefused } from './refused'
import type { WebTarget } from './target'

/** Milliseconds before each retry, unless the source says otherwise. */
const retriesMs = [60_000, 300_000, 1_500_000]

/** Whatever the source says: the next run will try again. */
const longestWaitMs = 3_600_000

/** Repeats a request while the source is busy. Does not read robots.txt: these are APIs and files made for programs. */
export async function fetchFromWeb(
  tools: SourceFetchTools,
  asked: Asked & { readonly target: WebTarget },
): Promise<Fetched> {
  const asking = exchangeOf(tools, asked)
  for (let retries = 0; ; retries++) {
    const answer = await exchange(asking, asked.target, (response, deadline) =>
      answerOf(response, deadline, asked, { ...asking.limits, now: tools.now() }),
    )
    if (answer.kind !== 'busy') return answer
    await asking.outside.sleep(waitBefore(retries, answer), asking.signal)
  }
}

/** In milliseconds. Throws a `SourceRefused` to give up. */
function waitBefore(retries: number, { status, retryMs }: Busy): number {
  const usualMs = retriesMs[retries]
  if (usualMs === undefined)
    throw new SourceRefused('unreachable', `status ${status}, also after ${retries} retries`)
  if (retryMs !== undefined && retryMs > longestWaitMs)
    throw new SourceRefused('unreachable', `status ${status}, for longer than an hour`)
  return retryMs ?? usualMs
}

function exchangeOf(tools: SourceFetchTools, asked: Asked & { readonly target: WebTarget }): Exchange {
  const { outside: given = world, limits = usualLimits } = tools
  const { source, request, options, target } = asked
  const outside = target.isOnLoopback ? { ...given, mayReach: isLoopback } : given
  return {
    outside,
    limits,
    signal: options.signal,
    body: request.json === undefined ? undefined : JSON.stringify(request.json),
    headersFor: headersOf(tools, asked),
    waitForTurn: (host) => waitForTurn({ ...tools, outside }, host, source.pace, options.signal),
  }
}

/** Unlike with `internet`, a sleeping run keeps the process alive. */
export const world: Outside = {
  ...internet,
  sleep: (ms, signal) =>
    wait(ms, undefined, { signal }).catch(() => {
      throw signal.reason
    }),
}
