import { type CalendarFeed, findFeed, touchFeed } from '../../accounts/calendar-feeds'
import { allow, allowFrom } from '../../http/rate-limit'
import type { Route, RouteContext } from '../../http/route'
import { checkSecret } from '../../lib/secret'
import { isoTime } from '../../lib/time'
import { html } from '../../pages/html'
import { type FeedEvent, feedEvents, languageOf } from './events'
import { type FeedHost, icsOf } from './ics'

/** `/feeds/SECRET.ics` and `.atom`: read by their secret only (D83), neither by cookie nor by token. */
export const feedRoute: Route = {
  method: 'GET',
  path: '/feeds/:file',
  answer: async (route) => {
    const { deps, request, params, limits } = route
    const [, secret = '', format] = /^(kir_fd_\w+)\.(ics|atom)$/.exec(params.file ?? '') ?? []
    const feed = checkSecret('fd', secret) ? await findFeed(deps, secret) : undefined
    if (feed === undefined) return notThere(route)
    const headers = allow(limits?.byFeed, String(feed.id))
    touchFeed(deps, feed, request.headers.get('user-agent') ?? '')
    const body = await bodyOf(route, feed, format === 'atom' ? 'atom' : 'ics')
    const type = types[format === 'atom' ? 'atom' : 'ics']
    const own = { ...privateHeaders, 'Cache-Control': 'private, max-age=900' }
    return answered(request, body, { ...headers, ...own, 'Content-Type': type })
  },
}

const types = {
  ics: 'text/calendar; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const

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

async function bodyOf({ deps }: RouteContext, feed: CalendarFeed, format: 'ics' | 'atom'): Promise<string> {
  const now = deps.now()
  const { baseUrl } = deps.config
  const events = await feedEvents(deps.readAs(feed.user_id), feed, now)
  return format === 'ics' ? icsOf(feed, events, { baseUrl }) : atomOf(feed, events, { baseUrl, now })
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

const mostEntries = 50

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
