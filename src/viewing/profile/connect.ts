import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Messages } from '../../messages/en'
import type { Markup } from '../../pages/html'
import { toast } from '../../pages/toast'
import { addBlock, removeBlock, undoBlock } from '../../social/blocks'
import { addFollow, addMute, removeFollow, removeMute } from '../../social/connections'
import { mustAsk } from '../../social/follow-requests'
import { findOther, type UserPair } from '../../social/user-lookup'
import { type Flash, setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { returnPath, safeReturn } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'

/** Words of flashes whose id is that of the other user. */
type ConnectionWord = 'followed' | 'asked' | 'unfollowed' | 'muted' | 'unmuted' | 'blocked' | 'unblocked'

const undone = {
  followed: 'unfollow',
  asked: 'unfollow',
  unfollowed: 'follow',
  muted: 'unmute',
  unmuted: 'mute',
  blocked: 'undo_block',
  unblocked: 'block',
} as const

const isConnection = (word: string): word is ConnectionWord => Object.hasOwn(undone, word)

/** Undefined for other flashes, and if the user no longer exists. */
export async function connectionToast(visit: MemberVisit, { word, id }: Flash): Promise<Markup | undefined> {
  const username = isConnection(word) ? await usernameOf(visit.deps.seen, id) : undefined
  if (!isConnection(word) || username === undefined) return undefined
  const undo = { path: `/${undone[word]}`, name: 'username', value: username, returnTo: returnPath(visit) }
  return toast(visit, textOf(visit.t, word)(username), undo)
}

/** Nobody follows again but the follower. Undefined if they no longer exist. */
export async function removedToast(visit: MemberVisit, { id }: Flash): Promise<Markup | undefined> {
  const username = await usernameOf(visit.deps.seen, id)
  return username === undefined ? undefined : toast(visit, visit.t.people.removed(username))
}

const textOf = (t: Messages, word: ConnectionWord) =>
  ({
    followed: t.profilePage.followed,
    asked: t.profilePage.asked,
    unfollowed: t.profilePage.unfollowed,
    muted: t.profilePage.muted,
    unmuted: t.profilePage.unmuted,
    blocked: t.profilePage.blocked,
    unblocked: t.profilePage.unblocked,
  })[word]

async function usernameOf(read: Read, id: number): Promise<string | undefined> {
  const user = await read.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst()
  return user?.username
}

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
      const other = await deps.write(async (tx) => {
        const found = await findOther(tx, formText(sent, 'username'))
        if (found === undefined || found.isDisabled || found.id === session.userId) throw pageNotFound()
        const pair = { user: session.userId, other: found.id, now: deps.now() }
        const isAsking = word === 'followed' && (await mustAsk(tx, pair))
        await change(tx, pair)
        return { id: found.id, said: isAsking ? ('asked' as const) : word }
      })
      setFlash(visit, other.said, other.id)
      return seeOther(visit, safeReturn(formText(sent, 'return_to'), deps.config.baseUrl))
    },
  })

export const connectionRoutes: readonly PageRoute[] = [
  connect('/follow', addFollow, 'followed'),
  connect('/unfollow', removeFollow, 'unfollowed'),
  connect('/mute', addMute, 'muted'),
  connect('/unmute', removeMute, 'unmuted'),
  connect('/block', addBlock, 'blocked'),
  connect('/unblock', removeBlock, 'unblocked'),
  connect('/undo_block', undoBlock, 'unblocked'),
]
