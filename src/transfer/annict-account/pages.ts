import { fieldsOf } from '../readers/fields'
import { type Asking, ask } from './ask'
import type { Connection } from './queries'
import { AccountRefused } from './refused'

/** Between the starts of two requests: Annict throttles above 4 a second. */
const betweenMs = 500
/** Longer waits are reported to the user instead. */
const longestWaitMs = 60_000
const attempts = 3
/** 200,000 entries, records and activities in all. */
const maxPages = 4000

export interface Pacing {
  /** On the clock of `Outside.steady`. */
  askedAt: number
  pages: number
}

/** The nodes or edges of each page. Throws an `AccountRefused`. */
export async function* pagesOf(
  asking: Asking,
  { name, list, query }: Connection,
  pacing: Pacing,
): AsyncGenerator<readonly unknown[]> {
  const seen = new Set<string>()
  for (let after: string | null = null; ; ) {
    if (++pacing.pages > maxPages) throw new AccountRefused('endless')
    const { items, next } = pageIn(await askPolitely(asking, query, after, pacing), name, list)
    yield items
    if (next === undefined) return
    if (seen.has(next)) throw new AccountRefused('endless')
    seen.add(next)
    after = next
  }
}

async function askPolitely(asking: Asking, query: string, after: string | null, pacing: Pacing) {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await waitUntil(asking, pacing.askedAt + betweenMs)
    pacing.askedAt = asking.outside.steady()
    const answer = await ask(asking, query, after)
    if ('json' in answer) return answer.json
    if (answer.retryMs > longestWaitMs) break
    if (attempt < attempts) await waitUntil(asking, asking.outside.steady() + answer.retryMs)
  }
  throw new AccountRefused('busy')
}

async function waitUntil({ outside, signal }: Asking, time: number): Promise<void> {
  const ms = time - outside.steady()
  if (ms > 0) await outside.sleep(ms, signal)
}

function pageIn(answer: unknown, name: string, list: string) {
  const connection = fieldsOf(fieldsOf(fieldsOf(fieldsOf(answer).data).viewer)[name])
  const { hasNextPage, endCursor } = fieldsOf(connection.pageInfo)
  const items = connection[list]
  if (!Array.isArray(items)) throw new AccountRefused('no_answer')
  return { items, next: hasNextPage === true && typeof endCursor === 'string' ? endCursor : undefined }
}
