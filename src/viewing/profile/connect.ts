import type { Tx } from '../../db/write'
import { addFollow, addMute, removeFollow, removeMute, type UserPair } from '../../social/connections'
import { isDeleted } from '../../social/user-lookup'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import type { ConnectionWord } from './connection-toast'

/** `username`: the other user. Doing it to one's own account is not found (D52). */
const connect = (
  path: string,
  change: (tx: Tx, pair: UserPair) => Promise<void>,
  word: ConnectionWord,
): PageRoute =>
  defineAction({
    path,
    access: member,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const key = formText(sent, 'username').toLowerCase()
      const other = await deps.write(async (tx) => {
        const found = await findOther(tx, key)
        if (found === session.userId) throw pageNotFound()
        await change(tx, { user: session.userId, other: found, now: deps.now() })
        return found
      })
      setFlash(visit, word, other)
      return seeOther(visit, safeReturn(formText(sent, 'return_to'), deps.config.baseUrl))
    },
  })

async function findOther(tx: Tx, key: string): Promise<number> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', key)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined || (await isDeleted(tx, user.id))) throw pageNotFound()
  return user.id
}

export const connectionRoutes: readonly PageRoute[] = [
  connect('/follow', addFollow, 'followed'),
  connect('/unfollow', removeFollow, 'unfollowed'),
  connect('/mute', addMute, 'muted'),
  connect('/unmute', removeMute, 'unmuted'),
]
