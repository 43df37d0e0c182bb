import type { Read } from '../../db/open'
import type { Messages } from '../../messages/en'
import type { Markup } from '../../pages/html'
import { toast } from '../../pages/toast'
import type { Flash } from '../../web/flash'
import { returnPath } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'

/** Words of flashes whose id is that of the other user. */
export type ConnectionWord = 'followed' | 'unfollowed' | 'muted' | 'unmuted'

const undone = { followed: 'unfollow', unfollowed: 'follow', muted: 'unmute', unmuted: 'mute' } as const

const isConnection = (word: string): word is ConnectionWord => Object.hasOwn(undone, word)

/** Undefined for other flashes, and if the user no longer exists. */
export async function connectionToast(visit: MemberVisit, { word, id }: Flash): Promise<Markup | undefined> {
  const username = isConnection(word) ? await usernameOf(visit.deps.read, id) : undefined
  if (!isConnection(word) || username === undefined) return undefined
  const undo = { path: `/${undone[word]}`, name: 'username', value: username, returnTo: returnPath(visit) }
  return toast(visit, textOf(visit.t, word)(username), undo)
}

const textOf = (t: Messages, word: ConnectionWord) =>
  ({
    followed: t.profilePage.followed,
    unfollowed: t.profilePage.unfollowed,
    muted: t.profilePage.muted,
    unmuted: t.profilePage.unmuted,
  })[word]

async function usernameOf(read: Read, id: number): Promise<string | undefined> {
  const user = await read.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst()
  return user?.username
}
