import { type CalendarFeed, findFeed, touchFeed } from '../../accounts/calendar-feeds'
import type { Deps } from '../../deps'
import { allow, allowFrom } from '../../http/rate-limit'
import type { Route, RouteContext } from '../../http/route'
import { checkSecret } from '../../lib/secret'
import { isoTime } from '../../lib/time'
import { messagesIn } from '../../messages/languages'
import { html } from '../../pages/html'
import { titleLanguages } from '../../values/preferences'
import { detailsOf } from '../activity/details'
import { pageOfEntries } from '../activity/stream'
import { type ActivityChannel, activityAtom, mostEntries } from './activity-atom'
import { type FeedEvent, feedEvents, languageOf } from './events'
import { type FeedHost, icsOf } from './ics'

/** `/feeds/SECRET.ics` and `.atom`: read by their secret only (D83), neither by cookie nor by token. */
const calendarFeed: Route = {
  method: 'GET',
  path: '/feeds/:file',
  answer: async (route) => {
    const [, secret = '', format] = /^(kir_fd_\w+)\.(ics|atom)$/.exec(route.params.file ?? '') ?? []
    const write = format === 'atom' ? calendarAtom : calendarIcs
    return await answerFeed(route, secret, { write, type: types[format === 'atom' ? 'atom' : 'ics'] })
  },
}

/** `/feeds/SECRET/following.atom`: its owner's page of those they follow, by the same secret (people.md §6). */
const followingFeed: Route = {
  method: 'GET',
  path: '/feeds/:file/following.atom',
  answer: (route) => answerFeed(route, route.params.file ?? '', { write: followingAtom, type: types.atom }),
}

export const feedRoutes: readonly Route[] = [calendarFeed, followingFeed]

const types = {
  ics: 'text/calendar; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const

interface FeedForm {
  readonly type: string
  write(deps: Deps, feed: CalendarFeed): Promise<string>
}

async function answerFeed(route: RouteContext, secret: string, { write, type }: FeedForm): Promise<Response> {
  const { deps, request, limits } = route
  const feed = checkSecret('fd', secret) ? await findFeed(deps, secret) : undefined
  if (feed === undefined) return notThere(route)
  const headers = allow(limits?.byFeed, String(feed.id))
  touchFeed(deps, feed, request.headers.get('user-agent') ?? '')
  const own = { ...privateHeaders, 'Cache-Control': 'private, max-age=900' }
  return answered(request, await write(deps, feed), { ...headers, ...own, 'Content-Type': type })
}

/** A wrong secret counts as a bad token: whoever guesses waits. */
function notThere({ limits, context }: RouteContext): Response {
  const headers = allowFrom(limits?.byAddress, context.peer)
  return new Response('There is no such feed.\n', {
    status: 404,
    headers: {
      ...headers,
      ...privateHeaders,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  })
}

async function calendarIcs(deps: Deps, feed: CalendarFeed): Promise<string> {
  const events = await feedEvents(deps.readAs(feed.user_id), feed, deps.now())
  return icsOf(feed, events, { baseUrl: deps.config.baseUrl })
}

async function calendarAtom(deps: Deps, feed: CalendarFeed): Promise<string> {
  const now = deps.now()
  const events = await feedEvents(deps.readAs(feed.user_id), feed, now)
  return atomOf(feed, events, { baseUrl: deps.config.baseUrl, now })
}

/** What `/activity` shows its owner: without those whom they muted, and nothing of what they have not watched. */
async function followingAtom(deps: Deps, feed: CalendarFeed): Promise<string> {
  const { user_id: following, title_language } = feed
  const { baseUrl } = deps.config
  const read = deps.crowdAs(following)
  const page = { before: Number.MAX_SAFE_INTEGER, limit: mostEntries }
  const { entries } = await pageOfEntries(read, { following }, page)
  const details = await detailsOf(read, entries, following)
  const language = languageOf(feed)
  const titleLanguage = titleLanguages.find((one) => one === title_language)
  const channel: ActivityChannel = {
    ...{ key: `following-${feed.id}`, title: messagesIn(language).feeds.following, language },
    ...{ author: html`<name>kiroku</name>`, page: `${baseUrl}/activity`, begun: feed.created_at },
    ...(titleLanguage && { titleLanguage }),
    guardsSpoilers: feed.guards_spoilers === 1,
  }
  return activityAtom(channel, entries, { details, baseUrl })
}

const privateHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }

/** The body, or 304 if the reader has it. */
export function answered(request: Request, body: string, more: Readonly<Record<string, string>>): Response {
  const tag = `"${new Bun.CryptoHasher('sha256').update(body).digest('hex').slice(0, 32)}"`
  const headers = { ...more, ETag: tag }
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((one) => one.trim())
  if (known.includes(tag) || known.includes(`W/${tag}`) || known.includes('*'))
    return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

/** What has begun, newest first (RFC 4287). */
function atomOf(
  feed: CalendarFeed,
  events: readonly FeedEvent[],
  { baseUrl, now }: FeedHost & { readonly now: number },
): string {
  const begun = events
    .filter(({ at, state }) => at <= now && state !== 'cancelled')
    .reverse()
    .slice(0, mostEntries)
  const tag = (key: string) => `tag:${new URL(baseUrl).hostname},2026:${key}`
  const entries = begun.map(
    ({ key, at, summary, channel, path }) => html`  <entry>
    <id>${tag(key)}</id>
    <title>${summary}</title>
    <link rel="alternate" href="${baseUrl}${path}"/>
    <updated>${isoTime(at)}</updated>
    <summary>${channel ?? ''}</summary>
  </entry>
`,
  )
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${languageOf(feed)}">
  <id>${tag(`feed-${feed.id}`)}</id>
  <title>${feed.name}</title>
  <author><name>kiroku</name></author>
  <link rel="alternate" href="${baseUrl}/calendar"/>
  <updated>${isoTime(begun[0]?.at ?? feed.changed_at)}</updated>
${entries}</feed>
`.text
}
