import { type NoticeKind, noticeKindNames } from '../accounts/account/unread'
import type { Read } from '../db/open'
import type { Tx, Write } from '../db/write'

/** Minutes since midnight; without one of them there is no quiet time. */
export interface QuietHours {
  readonly quiet_from: number | null
  readonly quiet_to: number | null
}

/** What somebody wants to be told of, and when. */
export interface NotificationSettings extends QuietHours {
  readonly here: readonly NoticeKind[]
  /** What the e-mail of the morning tells of; none for no e-mail. */
  readonly digest: readonly NoticeKind[]
}

export async function notificationSettings(
  read: Pick<Read, 'selectFrom'>,
  userId: number,
): Promise<NotificationSettings> {
  const { not_here, digest, ...hours } = await read
    .selectFrom('users')
    .select(['quiet_from', 'quiet_to', 'not_here', 'digest'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const wanted = wordsIn(digest)
  return {
    ...hours,
    here: without(noticeKindNames, wordsIn(not_here)),
    digest: noticeKindNames.filter((kind) => wanted.includes(kind)),
  }
}

/** What is not named stays as it is. */
export async function setNotificationSettings(
  { write }: { readonly write: Write },
  userId: number,
  settings: Partial<NotificationSettings>,
): Promise<void> {
  await write((tx) => changeSettings(tx, userId, settings))
}

export async function changeSettings(
  tx: Tx,
  userId: number,
  { here, digest, ...hours }: Partial<NotificationSettings>,
): Promise<void> {
  const set = {
    ...hours,
    ...(here && { not_here: without(noticeKindNames, here).join(',') }),
    ...(digest && { digest: digest.join(',') }),
  }
  if (Object.keys(set).length > 0) await tx.updateTable('users').set(set).where('id', '=', userId).execute()
}

/** What a form changed in a list of words. */
export interface WordChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export const changedWords = (words: readonly string[], { added, removed }: WordChange): readonly string[] =>
  [...new Set([...words, ...added])].filter((word) => !removed.includes(word))

export const wordsIn = (text: string): readonly string[] => text.split(',').filter((word) => word !== '')

const without = <T extends string>(all: readonly T[], some: readonly string[]): readonly T[] =>
  all.filter((one) => !some.includes(one))

/** `23:00`; '' for null. */
export const clockText = (minutes: number | null): string =>
  minutes === null ? '' : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
