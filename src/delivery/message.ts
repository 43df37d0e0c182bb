import { type NoticeKind, noticeKindNames } from '../accounts/account/unread'
import { FetchRefused } from '../fetching/refused'
import { isoTime } from '../lib/time'
import type { Language } from '../messages/languages'
import { type PushKeys, pushRequest } from './web-push'

/** What a message tells of. */
export interface NewsItem {
  readonly work: { readonly id: number; readonly title: string; readonly title_en: string } | null
  readonly episode: {
    readonly id: number
    readonly number: string | null
    readonly number_text: string
  } | null
  readonly channel: string | null
  /** ISO 8601; of a new episode or a date to watch together. */
  readonly started_at: string | null
  readonly estimated: boolean | null
  /** One line in the language of whoever gets it. */
  readonly text: string
  readonly url: string
}

export const newsKinds = ['episode', 'notification', 'record'] as const
export type NewsKind = (typeof newsKinds)[number]

/** What a destination is told of: `notification` is all that one is told of but new episodes, the words after it parts of that. */
export const newsWords = [
  ...newsKinds,
  ...noticeKindNames.filter((name): name is Exclude<NoticeKind, 'episode'> => name !== 'episode'),
] as const
export type NewsWord = (typeof newsWords)[number]

/** Those that have an address which somebody can type, and a browser. */
export const typedKinds = ['webhook', 'ntfy', 'gotify', 'discord'] as const
export const destinationKinds = [...typedKinds, 'push'] as const
export type DestinationKind = (typeof destinationKinds)[number]

export interface OutgoingMessage {
  readonly id: number
  readonly kind: NewsKind
  readonly items: readonly NewsItem[]
  /** How many more there are. */
  readonly more: number
  /** What kind of news, in the language of whoever gets it. */
  readonly title: string
  readonly lang: Language
  /** Epoch milliseconds. */
  readonly now: number
}

export interface MessageTarget {
  readonly kind: DestinationKind
  readonly url: string
  readonly token: string
  readonly secret: string
}

interface MessageRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** How a kind of destination wants to be told. Throws a `FetchRefused` for a browser without `keys`. */
export async function requestOf(
  target: MessageTarget,
  message: OutgoingMessage,
  keys: () => Promise<PushKeys | undefined>,
): Promise<MessageRequest> {
  if (target.kind === 'push') return await requestToBrowser(target, message, await keys())
  const { url, headers = {}, json } = forms[target.kind](target, message)
  const body = JSON.stringify(json)
  const signed = target.kind === 'webhook' ? signature(target.secret, message, body) : {}
  return { url, headers: { 'Content-Type': 'application/json', ...headers, ...signed }, body }
}

interface MessageForm {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json: object
}

const forms: Readonly<
  Record<(typeof typedKinds)[number], (target: MessageTarget, message: OutgoingMessage) => MessageForm>
> = {
  webhook: ({ url }, { kind, items, more, now }) => ({
    url,
    json: { type: kind, timestamp: isoTime(now), data: { items, more } },
  }),
  // https://docs.ntfy.sh/publish/#publish-as-json: to the root, with the topic in the body.
  ntfy: ({ url, token }, message) => {
    const root = new URL(url)
    const [, folder = '/', topic = ''] = /^(.*\/)([^/]*)\/?$/.exec(root.pathname) ?? []
    root.pathname = folder
    return {
      url: root.href,
      headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
      json: {
        ...{ topic: decodeURIComponent(topic), title: message.title, message: linesOf(message) },
        click: clickOf(message),
      },
    }
  },
  // https://gotify.net/docs/pushmsg
  gotify: ({ url, token }, message) => ({
    url: `${url.replace(/\/+$/, '')}/message`,
    headers: { 'X-Gotify-Key': token },
    json: {
      ...{ title: message.title, message: linesOf(message), priority: 5 },
      extras: { 'client::notification': { click: { url: clickOf(message) } } },
    },
  }),
  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  discord: ({ url }, message) => ({
    url,
    json: {
      content: [...`${message.title}\n${escaped(linesOf(message))}`].slice(0, 2000).join(''),
      allowed_mentions: { parse: [] },
    },
  }),
}

async function requestToBrowser(target: MessageTarget, message: OutgoingMessage, keys: PushKeys | undefined) {
  if (keys === undefined) throw new FetchRefused('not_allowed', 'browsers are not told')
  const { url, token: p256dh, secret: auth } = target
  const { title, lang, now } = message
  const text = { title, body: linesOf(message), navigate: clickOf(message), tag: `msg_${message.id}`, lang }
  return await pushRequest({ url, p256dh, auth }, text, { keys, now })
}

const linesOf = ({ items, more }: OutgoingMessage): string =>
  [...items.map(({ text }) => text), ...(more > 0 ? [`+${more}`] : [])].join('\n')

const clickOf = ({ items }: OutgoingMessage): string | undefined => items[0]?.url

/** Titles are no Markdown, and name nobody. */
const escaped = (text: string) => text.replace(/[\\`*_{}[\]()#+\-.!|>~@<:]/g, '\\$&')

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function signature(secret: string, { id, now }: OutgoingMessage, body: string) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const [name, seconds] = [`msg_${id}`, String(Math.floor(now / 1000))]
  const sum = new Bun.CryptoHasher('sha256', key).update(`${name}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': name, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${sum}` }
}
