import { createPace, type HostPace } from '../../fetching/pace'
import { fieldsOf } from '../readers/fields'
import { type AccountRequests, ask } from './ask'
import type { Connection } from './queries'
import { AccountRefused } from './refused'

/** Between the starts of two requests: Annict throttles above 4 a second. */
const betweenMs = 500
/** Longer waits are reported to the user instead. */
const longestWaitMs = 60_000
const attempts = 3
/** 200,000 entries, records and activities in all. */
const maxPages = 4000

/** To be shared by all pulls of an instance: Annict sees one client. */
export const newPace = (): HostPace => createPace(betweenMs)

/** The nodes or edges of each page. Throws an `AccountRefused`. */
export async function* pagesOf(
  asking: AccountRequests,
  { name, list, query }: Connection,
  counted: { pages: number },
): AsyncGenerator<readonly unknown[]> {
  const seen = new Set<string>()
  for (let after: string | null = null; ; ) {
    if (++counted.pages > maxPages) throw new AccountRefused('endless')
    const { items, next } = pageIn(await askPolitely(asking, query, after), name, list)
    yield items
    if (next === undefined) return
    if (seen.has(next)) throw new AccountRefused('endless')
    seen.add(next)
    after = next
  }
}

async function askPolitely(asking: AccountRequests, query: string, after: string | null) {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await ask(asking, query, after)
    if ('json' in answer) return answer.json
    if (answer.retryMs > longestWaitMs) break
    asking.pace.hold(asking.outside, answer.host, answer.retryMs)
  }
  throw new AccountRefused('busy')
}

function pageIn(answer: unknown, name: string, list: string) {
  const connection = fieldsOf(fieldsOf(fieldsOf(fieldsOf(answer).data).viewer)[name])
  const { hasNextPage, endCursor } = fieldsOf(connection.pageInfo)
  const items = connection[list]
  if (!Array.isArray(items)) throw new AccountRefused('no_answer')
  return { items, next: hasNextPage === true && typeof endCursor === 'string' ? endCursor : undefined }
}
