import { countsOfOwn } from '../../accounts/users'
import { prepared, type SlotOf } from '../../db/prepared'
import type { PageContent, PageContext } from '../../pages/layout'
import { member, seeOther } from '../../web/page'
import { AnswerInstead, pageNotFound } from '../../web/problem'
import { returnPath } from '../../web/return-to'
import type { Visit } from '../../web/visit'

export type ShownUser = Awaited<ReturnType<typeof userRow>>[number]

/**
 * The user named in the path; redirects to their own spelling (D50). Disabled and deleted accounts are not found. Visitors read
 * public profiles alone, and are sent to sign in from every other name, whether it exists or not (D64, D75). `isOpen`: whether
 * they may read what is asked for, of this user, all the same (D88).
 */
export async function findUser(
  visit: Visit,
  isOpen: (userId: number) => Promise<boolean> = async () => false,
): Promise<ShownUser> {
  const { username = '' } = visit.params
  const [user] = await userRow(visit.deps.seen, { key: username.toLowerCase() })
  const isForVisitors = user !== undefined && (user.privacy === 'public' || (await isOpen(user.id)))
  if (!isForVisitors || !visit.deps.config.publicCatalogue) member(visit)
  if (user === undefined) throw pageNotFound()
  if (user.username === username) return isOwn(visit, user) ? await withOwnCounts(visit, user) : user
  const path = returnPath(visit).replace(/^\/@[^/?]+/, `/@${user.username}`)
  throw new AnswerInstead(seeOther(visit, path))
}

/** One's own pages count what is marked private, too (D74). */
async function withOwnCounts({ deps }: Visit, user: ShownUser): Promise<ShownUser> {
  const [counts] = await countsOfOwn(deps.seen, { user: user.id })
  return { ...user, ...counts }
}

const userRow = prepared((read, slot: SlotOf<{ key: string }>) =>
  read
    .selectFrom('users')
    .select([
      'id',
      'username',
      'avatar_url',
      'name',
      'description',
      'url',
      'created_at',
      'privacy',
      'indexable',
    ])
    .select(['records_count', 'followings_count', 'followers_count'])
    .select(['wanna_watch_count', 'watching_count', 'watched_count', 'on_hold_count', 'stop_watching_count'])
    .where('username_key', '=', slot('key'))
    .where('disabled_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deletions').select('user_id').whereRef('user_id', '=', 'users.id'))),
    ),
)

export const isOwn = ({ session }: Visit, user: Pick<ShownUser, 'id'>): boolean => session?.userId === user.id

/** 0 for a visitor. */
export const readerOf = ({ session }: Visit): number => session?.userId ?? 0

/** Keeps search engines from the pages of a public profile whose user wants that. */
export const robotsOf = ({ indexable }: Pick<ShownUser, 'indexable'>): Pick<PageContent, 'headers'> =>
  indexable === 1 ? {} : { headers: { 'X-Robots-Tag': 'noindex' } }

export const userPath = (visit: PageContext, user: ShownUser): string => `${visit.basePath}/@${user.username}`
