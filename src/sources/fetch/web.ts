import { setTimeout as wait } from 'node:timers/promises'
import type { FetchLimits } from '../../fetching/deadline'
import { internet, type Outside } from '../../fetching/outside'
import { type OutgoingRequest, type OutgoingRules, send } from '../../fetching/send'
import { isLoopback } from '../../lib/network'
import { answerOf, type Busy } from './answer'
import { headersOf } from './headers'
import { waitForTurn } from './pace'
import { SourceRefused } from './refused'
import type { Fetched, SourceFetchTools, SourceQuery } from './source-query'
import { refuseOthers, type WebTarget } from './target'

export const usualLimits: FetchLimits = { headersMs: 10_000, wholeMs: 60_000, minSpeed: 100_000 }

/** Milliseconds before each retry, unless the source says otherwise. */
const retriesMs = [60_000, 300_000, 1_500_000]

/** Whatever the source says: the next run will try again. */
const longestWaitMs = 3_600_000

type WebQuery = SourceQuery & { readonly target: WebTarget }

/** Repeats a request while the source is busy. Does not read robots.txt: these are APIs and files made for programs. */
export async function fetchFromWeb(tools: SourceFetchTools, query: WebQuery): Promise<Fetched> {
  const { outside: given = world } = tools
  const outside = query.target.isOnLoopback ? { ...given, mayReach: isLoopback } : given
  const { signal } = query.options
  for (let retries = 0; ; retries++) {
    const fetched = await fetchOnce({ ...tools, outside }, query)
    if (fetched.kind !== 'busy') return fetched
    await outside.sleep(waitBefore(retries, fetched), signal)
  }
}

async function fetchOnce(
  tools: SourceFetchTools & { readonly outside: Outside },
  query: WebQuery,
): Promise<Fetched | Busy> {
  const { source, request, options, target } = query
  const rules: OutgoingRules = {
    outside: tools.outside,
    redirects: 5,
    limits: tools.limits ?? usualLimits,
    refuse: (url, from) => refuseOthers(url, from, target.origins),
    turn: ({ host }) => waitForTurn(tools, host, source.pace, options.signal),
  }
  const outgoing: OutgoingRequest = {
    url: target.url.href,
    body: request.json === undefined ? undefined : JSON.stringify(request.json),
    headersFor: headersOf(tools, query),
    signal: options.signal,
  }
  await using answer = await send(rules, outgoing)
  return await answerOf(answer, query, tools.now())
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

/** Unlike with `internet`, a sleeping run keeps the process alive. */
export const world: Outside = {
  ...internet,
  sleep: (ms, signal) =>
    wait(ms, undefined, { signal }).catch(() => {
      throw signal.reason
    }),
}
