import { sql } from 'kysely'
import { isByShown, isNamedIn, isSeenBy, noticeKindOf } from '../accounts/account/unread'
import { signature } from '../accounts/instance-text'
import { preparedSql } from '../db/prepared'
import type { Deps } from '../deps'
import { instantOf, wallClock } from '../lib/local-time'
import { createSecret } from '../lib/secret'
import { letterTo } from '../mail/letters'
import type { Letter } from '../mail/mail'
import { type Language, languages, messagesIn } from '../messages/languages'
import { chosenTitle } from '../pages/title'
import { titleLanguages } from '../values/preferences'
import { shortEpisodeName } from '../viewing/parts/episode-name'
import { meetingTime, onlyEpisodeOf } from './news-item'

type DigestDeps = Pick<Deps, 'readBare' | 'readAs' | 'write' | 'now' | 'random' | 'config' | 'mail' | 'log'>

const hour = 3_600_000
const day = 24 * hour

/** Of letters that wait: others, such as for a new password, need room too. */
const mostWaiting = 100
const mostRetries = 20

/**
 * Once a day, from 8:00 by each person's clock, an e-mail of what is new since the last one and unread (people.md §7). Until
 * the mail server takes it, it is tried again each hour, by whatever process runs then; who has nothing new gets none.
 */
export async function sendDigests(deps: DigestDeps): Promise<void> {
  const { readBare, mail, now } = deps
  if (mail === undefined) return
  const { fresh, retries } = mail.waiting()
  if (retries > mostRetries) return
  const due = await dueDigests(readBare, { now: now(), limit: Math.max(0, mostWaiting - fresh) })
  for (const reader of due) {
    const isNew = reader.digest_at === 0 || reader.digest_at > now()
    if (isNew || !(await sendDigest(deps, mail, reader))) await schedule(deps, reader, {})
  }
}

/** The next 8:00 by the wall clock of the zone, in epoch milliseconds. */
function nextMorning(now: number, timeZone: string): number {
  const midnight = Math.floor(wallClock(now, timeZone) / day) * day
  const today = instantOf(midnight + 8 * hour, timeZone)
  return today > now ? today : instantOf(midnight + day + 8 * hour, timeZone)
}

interface DigestReader {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly language: string | null
  readonly title_language: string | null
  readonly time_zone: string | null
  readonly digest: string
  readonly digest_at: number
  readonly digest_told: number
  readonly digest_secret: string | null
}

/** Times that are days away are from a clock that was set back since. Uses users_digest. */
const dueDigests = preparedSql<DigestReader, { now: number; limit: number }>(
  (slot) => sql`
    select id, username, email, language, title_language, time_zone, digest, digest_at, digest_told, digest_secret
    from users
    where digest <> '' and (digest_at <= ${slot('now')} or digest_at > ${slot('now')} + ${sql.lit(2 * day)})
      and disabled_at is null and id not in (select user_id from deletions)
    order by digest_at limit ${slot('limit')}`,
)

/** Not if it was changed meanwhile, as by an unsubscription. */
const schedule = (
  { write, now }: Pick<Deps, 'write' | 'now'>,
  { id, digest, time_zone }: DigestReader,
  more: { readonly digest_told?: number },
) =>
  write((tx) =>
    tx
      .updateTable('users')
      .set({ digest_at: nextMorning(now(), time_zone ?? 'UTC'), ...more })
      .where('id', '=', id)
      .where('digest', '=', digest)
      .execute(),
  )

/** Returns whether there was something to tell. */
async function sendDigest(
  deps: DigestDeps,
  mail: NonNullable<Deps['mail']>,
  reader: DigestReader,
): Promise<boolean> {
  const { write, now, random, readAs } = deps
  const { id: user, digest: words, digest_told: after } = reader
  const [{ last } = { last: null }] = await lastOf(readAs(user), { user })
  if (last === null || last <= after) return false
  const notices = await freshNotices(readAs(user), { user, words, after, last })
  if (notices.length === 0) return false
  const secret = reader.digest_secret ?? createSecret('un', random)
  await write((tx) =>
    tx
      .updateTable('users')
      .set({ digest_at: now() + hour, digest_secret: secret })
      .where('id', '=', user)
      .execute(),
  )
  const delivered = () => {
    schedule(deps, reader, { digest_told: last }).catch((cause) =>
      deps.log('news_failed', { why: String(cause) }),
    )
  }
  mail.send(async () => {
    const signed = await signature(deps.readBare)
    return { ...digestLetter(deps, reader, notices, { secret, signed }), delivered }
  })
  return true
}

const lastOf = preparedSql<{ last: number | null }, { user: number }>(
  (slot) => sql`select max(id) as last from notifications where user_id = ${slot('user')}`,
)

interface FreshNotice {
  readonly kind: string
  readonly who: string | null
  readonly title: string | null
  readonly title_en: string | null
  readonly title_ro: string | null
  readonly episode_id: number | null
  readonly number: string | null
  readonly number_text: string | null
  /** Of a date to watch together, in epoch milliseconds. */
  readonly begins_at: number | null
}

/** Needs a read that is guarded for `user`. Uses notifications_unread. */
const freshNotices = preparedSql<FreshNotice, { user: number; words: string; after: number; last: number }>(
  (slot) => sql`
    select notifications.kind, iif(users.name = '', users.username, users.name) as who,
      works.title, works.title_en, works.title_ro, episodes.id as episode_id, episodes.number, episodes.number_text, begins_at
    from notifications
      left join users on users.id = notifications.actor_id
      left join meetings on meetings.id = notifications.meeting_id
      left join episodes on episodes.id = ifnull(notifications.episode_id, ${onlyEpisodeOf(sql.ref('notifications.meeting_id'))})
      left join works on works.id = ifnull(episodes.work_id, meetings.work_id)
    where ${isSeenBy(slot('user'))} and ${isByShown} and (notifications.read_at is null) = 1
      and notifications.id > ${slot('after')} and notifications.id <= ${slot('last')}
      and ${isNamedIn(slot('words'), noticeKindOf(sql.ref('notifications.kind')))}
    order by notifications.id limit 1000`,
)

const parts = [
  'episode',
  'like',
  'comment',
  'follow',
  'follow_request',
  'follow_accepted',
  'meeting',
  'report',
] as const
const mostNames = 10

/** Counts, titles and names, and nobody's text. RFC 2369 §3.2, RFC 8058 §3.1. */
function digestLetter(
  { config: { baseUrl } }: Pick<Deps, 'config'>,
  reader: DigestReader,
  notices: readonly FreshNotice[],
  { secret, signed }: { readonly secret: string; readonly signed: string },
): Letter {
  const language = languages.find((one) => one === reader.language) ?? 'ja'
  const t = messagesIn(language)
  const byKind = Map.groupBy(notices, ({ kind }) => kind)
  const stop = `${baseUrl}/unsubscribe/${secret}`
  const lines = parts.flatMap((part) => {
    const told = byKind.get(part)
    if (told === undefined) return []
    const names = [...new Set(told.map((notice) => nameIn(notice, reader, language)))].filter(Boolean)
    const shown = [
      ...names.slice(0, mostNames),
      ...(names.length > mostNames ? [`+${names.length - mostNames}`] : []),
    ]
    return `${t.digest.lines[part](told.length)}${shown.length === 0 ? '' : t.digest.naming(shown.join(t.common.comma))}`
  })
  const addresses = { all: `${baseUrl}/notifications`, settings: `${baseUrl}/settings/notifications`, stop }
  const letter = letterTo(
    reader.email,
    language,
    {
      subject: (t) => t.digest.subject(notices.length),
      text: (t) => t.digest.text(reader.username, lines, addresses),
    },
    signed,
  )
  const isHttps = baseUrl.startsWith('https:')
  const oneClick = isHttps ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}
  return { ...letter, headers: { 'List-Unsubscribe': `<${stop}>`, ...oneClick } }
}

function nameIn(
  notice: FreshNotice,
  { title_language, time_zone }: DigestReader,
  language: Language,
): string {
  if (notice.title === null) return notice.who ?? ''
  const titleLanguage = titleLanguages.find((one) => one === title_language) ?? 'native'
  const titles = {
    title: notice.title ?? '',
    title_en: notice.title_en ?? '',
    title_ro: notice.title_ro ?? '',
  }
  const { text } = chosenTitle({ preferences: { titleLanguage } }, titles)
  const episode = { number: notice.number, number_text: notice.number_text ?? '' }
  const t = messagesIn(language)
  const subject = notice.episode_id === null ? text : `${text} ${shortEpisodeName({ t, language }, episode)}`
  return notice.begins_at === null ? subject : t.news.at(subject, meetingTime(notice.begins_at, t, time_zone))
}

/** Whoever has the address from such an e-mail ends them, without signing in. False for one that is not known. */
export async function endDigest({ write }: Pick<Deps, 'write'>, secret: string): Promise<boolean> {
  const found = await write((tx) =>
    tx.updateTable('users').set({ digest: '' }).where('digest_secret', '=', secret).returning('id').execute(),
  )
  return found.length > 0
}

/** Whether an address is one of those; they stay when the e-mails have been ended. */
export const isDigestSecret = async (
  { readBare }: Pick<Deps, 'readBare'>,
  secret: string,
): Promise<boolean> => (await bySecret(readBare, { secret })).length > 0

const bySecret = preparedSql<{ id: number }, { secret: string }>(
  (slot) => sql`select id from users where digest_secret = ${slot('secret')} and disabled_at is null`,
)
