import type { Read, Reads } from '../db/open'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx, Write } from '../db/write'
import { Failure } from '../lib/failure'
import { createSecret, hashSecret, type Random } from '../lib/secret'
import { type Language, languages } from '../messages/languages'
import { FieldProblem, valid } from '../values/field-problem'
import { type TitleLanguage, titleLanguages } from '../values/preferences'
import { lineOfText } from '../values/text'

/** Minutes before a showing; null for none. */
export const alarms = [0, 10, 30] as const
export type Alarm = (typeof alarms)[number] | null

export const alarmOf = (text: string): Alarm => {
  if (text === '0') return 0
  if (text === '10') return 10
  return text === '30' ? 30 : null
}

export interface NewFeed {
  readonly userId: number
  readonly name: string
  /** Also the first episodes of works that are planned. */
  readonly wanted: boolean
  readonly alarm: Alarm
  /** Also estimated times. */
  readonly withRule: boolean
  readonly language: Language
  readonly titleLanguage: TitleLanguage
  readonly timeZone: string
}

export const feedName = lineOfText(50, (t) => t.rules.name)

export const mostFeeds = 5

interface FeedDeps {
  readonly write: Write
  readonly random: Random
  now(): number
}

/** The secret (D83) is returned only here: the database keeps its hash. Throws a `FieldProblem`. */
export async function createFeed(deps: FeedDeps, feed: NewFeed): Promise<{ id: number; secret: string }> {
  valid('name', feedName, feed.name)
  const secret = createSecret('fd', deps.random)
  const now = deps.now()
  const values = {
    ...{ user_id: feed.userId, secret_hash: hashSecret(secret), name: feed.name, alarm: feed.alarm },
    ...{ wanted: Number(feed.wanted), with_rule: Number(feed.withRule), language: feed.language },
    ...{ title_language: feed.titleLanguage, time_zone: feed.timeZone, changed_at: now, created_at: now },
  }
  const { id } = await deps.write(async (tx) => {
    const owned = await ofUser(tx, feed.userId).select('id').execute()
    if (owned.length >= mostFeeds) throw new FieldProblem('data', '', (t) => t.feeds.most(mostFeeds))
    return await tx.insertInto('feeds').values(values).returning('id').executeTakeFirstOrThrow()
  })
  return { id, secret }
}

/** Oldest first. Times are epoch milliseconds. */
export const listFeeds = (read: Read, userId: number) =>
  ofUser(read, userId)
    .select(['id', 'name', 'wanted', 'alarm', 'with_rule', 'created_at', 'last_used_at', 'last_agent'])
    .orderBy('id')
    .execute()

const ofUser = (db: Read | Tx, userId: number) => db.selectFrom('feeds').where('user_id', '=', userId) // uses feeds_user

/** A new secret in place of the old one; undefined if there is no such feed. */
export async function renewFeed(deps: FeedDeps, userId: number, id: number): Promise<string | undefined> {
  const secret = createSecret('fd', deps.random)
  const renewed = await deps.write((tx) =>
    tx
      .updateTable('feeds')
      .set({ secret_hash: hashSecret(secret) })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute(),
  )
  return renewed.length === 0 ? undefined : secret
}

export async function revokeOwnFeed(
  { write }: { write: Write },
  userId: number,
  id: number,
): Promise<boolean> {
  const gone = await write((tx) =>
    tx.deleteFrom('feeds').where('id', '=', id).where('user_id', '=', userId).returning('id').execute(),
  )
  return gone.length > 0
}

/** Throws a `data` failure if there is no such feed. */
export async function revokeFeed({ write }: { write: Write }, id: number): Promise<void> {
  const gone = await write((tx) => tx.deleteFrom('feeds').where('id', '=', id).returning('id').execute())
  if (gone.length === 0) throw new Failure('data', `there is no feed ${id}`)
}

type FeedRow = Awaited<ReturnType<typeof feedBySecret>>[number]

export interface CalendarFeed extends FeedRow {
  readonly guards_spoilers: number
}

/** Undefined for a secret that is not known, or of an account that may not sign in. */
export async function findFeed(
  { read, readAs }: Pick<Reads, 'read' | 'readAs'>,
  secret: string,
): Promise<CalendarFeed | undefined> {
  const [feed] = await feedBySecret(read, { hash: hashSecret(secret) })
  if (feed === undefined) return undefined
  const [owner] = await feedOwner(readAs(feed.user_id), { id: feed.user_id })
  return owner && { ...feed, ...owner }
}

const feedBySecret = prepared((read, slot: SlotOf<{ hash: Uint8Array }>) =>
  read
    .selectFrom('feeds')
    .select(['id', 'user_id', 'name', 'wanted', 'alarm', 'with_rule', 'title_language'])
    .select(['language', 'time_zone', 'changed_at', 'created_at', 'last_used_at'])
    .where('secret_hash', '=', slot('hash')),
)

const feedOwner = prepared((read, slot: SlotOf<{ id: number }>) =>
  read
    .selectFrom('users')
    .select('guards_spoilers')
    .where('id', '=', slot('id'))
    .where('disabled_at', 'is', null)
    .where('id', 'not in', read.selectFrom('deletions').select('user_id')),
)

/** Once in ten minutes: a lost update tells no more than that it was read a little earlier. */
export function touchFeed(
  deps: { write: Write; now(): number },
  { id, last_used_at }: Pick<CalendarFeed, 'id' | 'last_used_at'>,
  agent: string,
): void {
  const at = deps.now()
  if (last_used_at !== null && at - last_used_at < 600_000) return
  const used = { last_used_at: at, last_agent: agent.slice(0, 200) }
  deps.write((tx) => tx.updateTable('feeds').set(used).where('id', '=', id).execute()).catch(() => {})
}

/** The addresses of a feed, of which whoever has one can read it. */
export const feedAddresses = (baseUrl: string, secret: string) => ({
  ics: `${baseUrl}/feeds/${secret}.ics`,
  atom: `${baseUrl}/feeds/${secret}.atom`,
  following: `${baseUrl}/feeds/${secret}/following.atom`,
})

/** What a person's pages have, for a feed that is not made on one. */
export async function feedPreferences(
  read: Read,
  userId: number,
): Promise<Pick<NewFeed, 'language' | 'titleLanguage' | 'timeZone'>> {
  const user = await read
    .selectFrom('users')
    .select(['language', 'title_language', 'time_zone'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const language = languages.find((one) => one === user.language) ?? 'ja'
  const usual = language === 'ja' ? 'native' : 'english'
  return {
    language,
    titleLanguage: titleLanguages.find((one) => one === user.title_language) ?? usual,
    timeZone: user.time_zone ?? 'Asia/Tokyo',
  }
}
