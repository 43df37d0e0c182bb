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

/** Shared by all pulls of an instance: Annict sees one client. */
export interface Pace {
  /** When the next request may be sent, on the clock of `Outside.steady`. */
  freeAt: number
}

export const newPace = (): Pace => ({ freeAt: Number.NEGATIVE_INFINITY })

export interface Pacing {
  readonly pace: Pace
  /** Of this pull. */
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
    const { items, next } = pageIn(await askPolitely(asking, query, after, pacing.pace), name, list)
    yield items
    if (next === undefined) return
    if (seen.has(next)) throw new AccountRefused('endless')
    seen.add(next)
    after = next
  }
}

async function askPolitely(asking: Asking, query: string, after: string | null, pace: Pace) {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await myTurn(asking, pace)
    const answer = await ask(asking, query, after)
    if ('json' in answer) return answer.json
    if (answer.retryMs > longestWaitMs) break
    pace.freeAt = Math.max(pace.freeAt, asking.outside.steady() + answer.retryMs)
  }
  throw new AccountRefused('busy')
}

/** Looks again after each wait: Annict may have told another pull to wait. */
async function myTurn({ outside, signal }: Asking, pace: Pace): Promise<void> {
  for (let ms = pace.freeAt - outside.steady(); ms > 0; ms = pace.freeAt - outside.steady())
    await outside.sleep(ms, signal)
  pace.freeAt = outside.steady() + betweenMs
}

function pageIn(answer: unknown, name: string, list: string) {
  const connection = fieldsOf(fieldsOf(fieldsOf(fieldsOf(answer).data).viewer)[name])
  const { hasNextPage, endCursor } = fieldsOf(connection.pageInfo)
  const items = connection[list]
  if (!Array.isArray(items)) throw new AccountRefused('no_answer')
  return { items, next: hasNextPage === true && typeof endCursor === 'string' ? endCursor : undefined }
}
