import type { Read } from '../db/open'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { notFound } from '../http/errors'
import { messagesIn } from '../messages/languages'
import type { PageRange } from '../paging/query-plan'
import { FieldProblem } from '../values/field-problem'
import { beginQueue } from './collect'
import { attempt, type SendResult } from './deliver'
import {
  type DestinationKind,
  type NewsItem,
  type NewsWord,
  newsKinds,
  newsWords,
  type typedKinds,
} from './message'
import { changedWords, type WordChange, wordsIn } from './settings'
import { checkedUrl, wayOut } from './way-out'

/** One place where somebody is told of news, without its address. Times are epoch milliseconds. */
export interface NewsDestination {
  readonly id: number
  readonly kind: DestinationKind
  readonly host: string
  readonly events: string
  readonly is_on: number
  /** Of the last message; null without an answer. */
  readonly last_status: number | null
  readonly last_ok_at: number | null
  readonly created_at: number
  /** Of a browser. */
  readonly session_id: number | null
}

export const mostDestinations = 10

/** Oldest first. */
export const listDestinations = (read: Read, userId: number): Promise<NewsDestination[]> =>
  read
    .selectFrom('destinations') // uses destinations_user
    .select(['id', 'kind', 'host', 'events', 'is_on', 'last_ok_at', 'created_at', 'session_id'])
    .select((eb) =>
      eb
        .selectFrom('outgoing') // uses outgoing_destination
        .select('http_status')
        .whereRef('destination_id', '=', 'destinations.id')
        .where('state', '<>', 'dropped')
        .orderBy('outgoing.id', 'desc')
        .limit(1)
        .as('last_status'),
    )
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute() as Promise<NewsDestination[]>

interface NewDestination {
  readonly kind: (typeof typedKinds)[number]
  readonly url: string
  readonly token: string
  readonly events: readonly NewsWord[]
}

type MakingDeps = Pick<Deps, 'readBare' | 'write' | 'now' | 'random' | 'config' | 'outside'>

/**
 * The secret that signs what a webhook gets is returned only here. Throws a `FieldProblem` for one too many, a `FetchRefused`
 * for an address that may not be contacted.
 */
export async function createDestination(
  deps: MakingDeps,
  userId: number,
  { kind, url, token, events }: NewDestination,
): Promise<{ readonly id: number; readonly secret: string | null }> {
  if (kind !== 'webhook' && events.includes('record'))
    throw new FieldProblem('usage', 'record', (t) => t.destinations.recordsToWebhooks)
  const { href, hostname } = await checkedUrl(wayOut(deps), url)
  const secret = kind === 'webhook' ? `whsec_${Buffer.from(deps.random(32)).toString('base64')}` : ''
  const id = await deps.write(async (tx) => {
    const owned = await tx
      .selectFrom('destinations')
      .select('id')
      .where('user_id', '=', userId)
      .where('kind', '<>', 'push')
      .execute()
    if (owned.length >= mostDestinations)
      throw new FieldProblem('data', 'kind', (t) => t.destinations.most(mostDestinations))
    await beginQueue(tx)
    const values = { user_id: userId, kind, url: href, host: hostname, token, secret, created_at: deps.now() }
    const made = tx.insertInto('destinations').values({ ...values, events: [...new Set(events)].join(',') })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  })
  return { id, secret: secret === '' ? null : secret }
}

const partsOfNotification = newsWords.filter((word) => !newsKinds.some((kind) => kind === word))

/** With the parts of `notification`. */
export const chosenWords = (events: string): readonly string[] =>
  wordsIn(events).flatMap((word) => (word === 'notification' ? [word, ...partsOfNotification] : [word]))

/** Nothing happens to one that is gone. `notification` stays as long as all its parts are chosen. */
export async function changeEvents(tx: Tx, userId: number, id: number, change: WordChange): Promise<void> {
  const found = await tx
    .selectFrom('destinations')
    .select('events')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (found === undefined) return
  const isWhole = !partsOfNotification.some((part) => change.removed.includes(part))
  const before = isWhole
    ? wordsIn(found.events)
    : chosenWords(found.events).filter((word) => word !== 'notification')
  const events = changedWords(before, change).join(',')
  await tx.updateTable('destinations').set({ events }).where('id', '=', id).execute()
}

/** With what was sent there, and what waits. Throws not_found. */
export async function deleteDestination(
  { write }: Pick<Deps, 'write'>,
  userId: number,
  id: number,
): Promise<void> {
  const gone = await write((tx) =>
    tx
      .deleteFrom('destinations')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute(),
  )
  if (gone.length === 0) throw notFound('The destination')
}

/** Newest first, of the last 14 days. Throws not_found. */
export async function listMessages(read: Read, userId: number, id: number, { offset, limit }: PageRange) {
  await findDestination(read, userId, id)
  const ofDestination = read.selectFrom('outgoing').where('destination_id', '=', id) // uses outgoing_destination
  const { total } = await ofDestination
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const messages = await ofDestination
    .select([
      'id',
      'kind',
      'items',
      'more',
      'state',
      'tries',
      'created_at',
      'next_at',
      'ended_at',
      'http_status',
    ])
    .select('why')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return { messages, total }
}

async function findDestination(read: Read, userId: number, id: number) {
  const found = await read
    .selectFrom('destinations')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['destinations.kind', 'destinations.url', 'token', 'secret', 'users.language'])
    .where('destinations.id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (found === undefined) throw notFound('The destination')
  return found
}

type TestingDeps = Pick<Deps, 'read' | 'readBare' | 'write' | 'now' | 'config' | 'outside' | 'isStopping'>

/** Sends a message at once and waits for its answer, at most 10 seconds. It is in the list of messages. Throws not_found. */
export async function testDestination(deps: TestingDeps, userId: number, id: number): Promise<SendResult> {
  const { kind, url, token, secret, language } = await findDestination(deps.read, userId, id)
  const lang = language === 'en' ? 'en' : 'ja'
  const t = messagesIn(lang)
  const now = deps.now()
  const items = [testItem(t.news.test, deps.config.baseUrl)]
  const row = {
    ...{ user_id: userId, destination_id: id, kind: 'notification', items: JSON.stringify(items) },
    ...{ state: 'failed', tries: 1, next_at: now, created_at: now, ended_at: now, why: 'not sent' },
  }
  const message = await deps.write((tx) =>
    tx.insertInto('outgoing').values(row).returning('id').executeTakeFirstOrThrow(),
  )
  const made = await attempt(
    wayOut(deps),
    { kind: kind as DestinationKind, url, token, secret },
    { id: message.id, kind: 'notification', items, more: 0, title: t.news.titles.notification, lang, now },
    new AbortController().signal,
  )
  const isOk = made.outcome === 'sent'
  await deps.write(async (tx) => {
    const seen = { state: isOk ? 'sent' : 'failed', http_status: made.httpStatus, why: made.why }
    await tx.updateTable('outgoing').set(seen).where('id', '=', message.id).execute()
    if (isOk)
      await tx
        .updateTable('destinations')
        .set({ failures: 0, last_ok_at: deps.now() })
        .where('id', '=', id)
        .execute()
  })
  return made
}

const testItem = (text: string, baseUrl: string): NewsItem => ({
  ...{ work: null, episode: null, channel: null, started_at: null, estimated: null },
  ...{ text, url: `${baseUrl}/` },
})
