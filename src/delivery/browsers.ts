import { sql } from 'kysely'
import type { Session } from '../accounts/sign-in/session'
import { deleteAllBut } from '../db/delete-all-but'
import type { Deps } from '../deps'
import { FetchRefused } from '../fetching/refused'
import { beginQueue } from './collect'
import { checkedUrl, wayOut } from './way-out'
import { checkPushTarget, type PushTarget } from './web-push'

type AddingDeps = Pick<Deps, 'readBare' | 'write' | 'now' | 'config' | 'outside'>

const mostBrowsers = 10

/**
 * Has a browser told, of new episodes, comments and dates until its owner chooses otherwise, as long as its session lasts (D86).
 * The oldest of more than ten goes. Throws a `FetchRefused`.
 */
export async function addBrowser(
  deps: AddingDeps,
  { id: session_id, userId: user_id }: Pick<Session, 'id' | 'userId'>,
  target: PushTarget,
): Promise<void> {
  const way = wayOut(deps)
  if ((await way.pushKeys()) === undefined) throw new FetchRefused('not_allowed', 'browsers are not told')
  checkPushTarget(target)
  const { href, hostname } = await checkedUrl(way, target.url)
  const keys = { url: href, host: hostname, token: target.p256dh, secret: target.auth }
  await deps.write(async (tx) => {
    await beginQueue(tx)
    const values = {
      user_id,
      kind: 'push',
      session_id,
      events: 'episode,comment,meeting',
      created_at: deps.now(),
    }
    await tx
      .insertInto('destinations')
      .values({ ...values, ...keys })
      .onConflict((row) =>
        row
          .column('session_id')
          .where('session_id', 'is not', null)
          .doUpdateSet({ ...keys, is_on: 1, failures: 0 }),
      )
      .execute()
    const owned = sql`user_id = ${user_id} and kind = 'push'`
    await deleteAllBut(tx, 'destinations', { owned, order: sql`id desc`, most: mostBrowsers })
  })
}
