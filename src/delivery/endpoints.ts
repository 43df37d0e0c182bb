import Type from 'typebox'
import { noticeKindNames } from '../accounts/account/unread'
import { defineCommand } from '../api/command'
import type { Endpoint } from '../api/endpoint'
import { envelope, nullable, pageOf, pagingFields, pagingParams, rangeOf } from '../api/paging'
import { idParam, wordParam, wordsParam } from '../api/param-kinds'
import { clearable, param, required } from '../api/params'
import { boolean, dateTime, integer, text, word } from '../api/schema'
import { FetchRefused } from '../fetching/refused'
import { invalidParams } from '../http/errors'
import { isoTime } from '../lib/time'
import { inEnglish } from '../messages/languages'
import { FieldProblem } from '../values/field-problem'
import { lineUpTo } from '../values/text'
import { clockTime } from '../values/time'
import {
  createDestination,
  deleteDestination,
  listDestinations,
  listMessages,
  type NewsDestination,
  testDestination,
} from './destinations'
import { destinationKinds, newsKinds, newsWords, typedKinds } from './message'
import {
  clockText,
  type NotificationSettings,
  notificationSettings,
  setNotificationSettings,
  wordsIn,
} from './settings'

const destinationSchema = Type.Object({
  id: integer('Destination id', 3),
  kind: word(destinationKinds, 'What it is; push is a browser, which only itself can add'),
  host: text('The host of its address; the rest is not shown', 'ntfy.sh'),
  events: Type.Array(word(newsWords, 'What it is told of')),
  is_on: boolean('Whether it is used: after ten messages that failed in a row it is not'),
  last_ok_at: nullable(dateTime('When a message last arrived; null for never')),
  created_at: dateTime('When it was made'),
})

const shownDestination = ({ id, kind, host, events, is_on, last_ok_at, created_at }: NewsDestination) => ({
  ...{ id, kind, host, events: wordsIn(events), is_on: is_on === 1 },
  last_ok_at: last_ok_at === null ? null : isoTime(last_ok_at),
  created_at: isoTime(created_at),
})

const id = required(idParam('The destination', 3))
const tag = 'Notifications'

const myDestinations = defineCommand({
  method: 'GET',
  path: '/v1/me/destinations',
  tag,
  summary: 'Extension: where the caller is told of news elsewhere, oldest first',
  params: pagingParams,
  answers: () => envelope('destinations', destinationSchema),
  items: 'destinations',
  run: async (query, { deps, viewer }) => {
    const page = pageOf(query)
    const all = await listDestinations(deps.read, viewer.userId)
    const from = (page.page - 1) * page.perPage
    const destinations = all.slice(from, from + page.perPage).map(shownDestination)
    return { destinations, ...pagingFields(page, all.length) }
  },
})

const addDestination = defineCommand({
  method: 'POST',
  path: '/v1/me/destinations',
  tag,
  summary: 'Extension: makes a destination for news',
  description: 'Its address and token are shown nowhere again.',
  params: {
    kind: required(wordParam(typedKinds, 'What it is')),
    url: required(
      param(
        lineUpTo(2000),
        'Its address: https, public, on the usual port',
        'https://ntfy.sh/my-secret-topic',
      ),
    ),
    token: param(lineUpTo(500), 'The access token of ntfy, the application token of Gotify', 'AbCdEf123456'),
    events: required(
      wordsParam(
        newsWords,
        'What it is told of: notification is all but new episodes, the words after it are parts of that; record only for a webhook',
      ),
    ),
  },
  answers: () =>
    Type.Object({
      id: integer('Destination id', 3),
      secret: nullable(text('Signs what a webhook gets (Standard Webhooks); shown only here', 'whsec_…')),
    }),
  run: async ({ kind, url, token = '', events }, { deps, viewer }) => {
    const made = await createDestination(deps, viewer.userId, { kind, url, token, events }).catch(refuse)
    return { id: made.id, secret: made.secret }
  },
})

function refuse(cause: unknown): never {
  if (cause instanceof FieldProblem && cause.field === 'record')
    throw invalidParams(`events must not have record for this kind: ${inEnglish(cause.text)}`)
  if (cause instanceof FieldProblem)
    throw invalidParams(`${cause.field} must not be added: ${inEnglish(cause.text)}`)
  if (!(cause instanceof FetchRefused)) throw cause
  throw invalidParams(`url must be a public https address without a name or password in it: ${cause.why}.`)
}

const removeDestination = defineCommand({
  method: 'DELETE',
  path: '/v1/me/destinations/:id',
  tag,
  summary: 'Extension: deletes a destination of the caller',
  params: { id },
  errors: ['not_found'],
  run: async ({ id: destination }, { deps, viewer }) => {
    await deleteDestination(deps, viewer.userId, destination)
    return null
  },
})

const tryDestination = defineCommand({
  method: 'POST',
  path: '/v1/me/destinations/:id/test',
  tag,
  summary: 'Extension: sends a test message to a destination of the caller',
  description: 'Waits for its answer, at most 10 seconds.',
  params: { id },
  answers: () =>
    Type.Object({
      status: word(['sent', 'failed'], 'Whether it arrived'),
      http_status: nullable(integer('The status of the answer; null without one', 200)),
      why: nullable(text('Why there was no answer', 'no answer')),
    }),
  errors: ['not_found'],
  run: async ({ id: destination }, { deps, viewer }) => {
    const { outcome, httpStatus, why } = await testDestination(deps, viewer.userId, destination)
    return { status: outcome === 'sent' ? 'sent' : 'failed', http_status: httpStatus, why }
  },
})

const messageSchema = Type.Object({
  id: integer('Message id', 12),
  kind: word(newsKinds, 'What it tells of'),
  items: integer('How many news it has', 3),
  state: word(['waiting', 'sent', 'failed', 'dropped'], 'What became of it'),
  tries: integer('How often it was tried', 1),
  created_at: dateTime('When the first of its news came'),
  next_at: nullable(dateTime('When it is tried next; null after its end')),
  ended_at: nullable(dateTime('When it arrived or was given up')),
  http_status: nullable(integer('The status of the last answer', 200)),
  why: nullable(text('Why there was no answer, or why it was dropped', 'no answer')),
})

const destinationMessages = defineCommand({
  method: 'GET',
  path: '/v1/me/destinations/:id/messages',
  tag,
  summary: 'Extension: what was sent to a destination in the last 14 days, newest first',
  params: { id, ...pagingParams },
  answers: () => envelope('messages', messageSchema),
  items: 'messages',
  errors: ['not_found'],
  run: async ({ id: destination, ...query }, { deps, viewer }) => {
    const page = pageOf(query)
    const { messages, total } = await listMessages(deps.read, viewer.userId, destination, rangeOf(page))
    return { messages: messages.map(shownMessage), ...pagingFields(page, total) }
  },
})

type MessageRow = Awaited<ReturnType<typeof listMessages>>['messages'][number]

const shownMessage = (row: MessageRow) => ({
  ...{ id: row.id, kind: row.kind, items: (JSON.parse(row.items) as unknown[]).length + row.more },
  ...{ state: row.state, tries: row.tries, created_at: isoTime(row.created_at) },
  next_at: row.state === 'waiting' ? isoTime(row.next_at) : null,
  ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  ...{ http_status: row.http_status, why: row.why },
})

const settingsSchema = Type.Object({
  quiet_from: nullable(
    text('When the time begins in which nothing is sent elsewhere, in the caller’s zone', '23:00'),
  ),
  quiet_to: nullable(text('When it ends; without one of the two there is none', '08:00')),
  digest: Type.Array(word(noticeKindNames, 'What the e-mail of the morning tells of; none for no e-mail')),
  here: Type.Array(word(noticeKindNames, 'What the caller is told of on the pages and in me/notifications')),
})

const shownSettings = ({ quiet_from, quiet_to, digest, here }: NotificationSettings) => ({
  quiet_from: quiet_from === null ? null : clockText(quiet_from).padStart(5, '0'),
  quiet_to: quiet_to === null ? null : clockText(quiet_to).padStart(5, '0'),
  digest,
  here,
})

const mySettings = defineCommand({
  method: 'GET',
  path: '/v1/me/notification_settings',
  tag,
  summary: 'Extension: what the caller is told of, and when elsewhere',
  params: {},
  answers: () => settingsSchema,
  run: async (_, { deps, viewer }) => shownSettings(await notificationSettings(deps.read, viewer.userId)),
})

const changeSettings = defineCommand({
  method: 'PATCH',
  path: '/v1/me/notification_settings',
  tag,
  summary: 'Extension: changes what the caller is told of, and when elsewhere',
  params: {
    quiet_from: clearable(param(clockTime, 'When the quiet time begins', '23:00')),
    quiet_to: clearable(param(clockTime, 'When it ends', '08:00')),
    digest: clearable(
      wordsParam(
        noticeKindNames,
        'What an e-mail tells of at 8:00 in the caller’s zone, if it is new and unread',
      ),
    ),
    here: clearable(wordsParam(noticeKindNames, 'What the caller is told of here')),
  },
  answers: () => settingsSchema,
  run: async (sent, { deps, viewer }) => {
    await setNotificationSettings(deps, viewer.userId, {
      ...(sent.quiet_from !== undefined && { quiet_from: sent.quiet_from }),
      ...(sent.quiet_to !== undefined && { quiet_to: sent.quiet_to }),
      ...(sent.digest !== undefined && { digest: sent.digest ?? [] }),
      ...(sent.here !== undefined && { here: sent.here ?? [] }),
    })
    return shownSettings(await notificationSettings(deps.warmRead(), viewer.userId))
  },
})

export const deliveryEndpoints: readonly Endpoint[] = [
  ...[myDestinations, addDestination, destinationMessages, tryDestination, removeDestination],
  ...[mySettings, changeSettings],
]
