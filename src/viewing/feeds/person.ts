import { sql } from 'kysely'
import { type Bindable, preparedSql } from '../../db/prepared'
import type { RouteContext } from '../../http/route'
import { isoTime } from '../../lib/time'
import { ratingStates } from '../../library/ratings'
import { languages, messagesIn } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { defaultPreferences } from '../../pages/preferences'
import { chosenTitle } from '../../pages/title'
import type { PageRoute } from '../../web/page'
import { detailsOf, type EntryDetails, worksOf } from '../activity/details'
import type { StreamEntry } from '../activity/entries'
import { sentenceOf } from '../activity/entry'
import { pageOfEntries } from '../activity/stream'
import { answered } from './route'

/** Adds `/@NAME.atom` to the page of a person: what a public profile's person did, for everybody (people.md §6). */
export const withFeed = (profile: PageRoute): PageRoute => ({
  ...profile,
  answer: (visit) => {
    const [, name] = /^([A-Za-z0-9_]+)\.atom$/.exec(visit.params.username ?? '') ?? []
    return name === undefined ? profile.answer(visit) : personFeed(visit, name)
  },
})

const mostEntries = 50

/** The same for whoever asks: what visitors may see. */
async function personFeed({ deps, request }: RouteContext, name: string): Promise<Response> {
  const read = deps.readAs(0)
  const [person] = await publicPerson(read, { key: name.toLowerCase() })
  if (person === undefined || !deps.config.publicCatalogue) return notThere()
  const { entries } = await pageOfEntries(read, { person: person.id }, { before: newest, limit: mostEntries })
  const details = await detailsOf(read, entries, 0)
  const body = feedOf(person, entries, { details, baseUrl: deps.config.baseUrl })
  return answered(request, body, {
    'Content-Type': 'application/atom+xml; charset=utf-8',
    'Cache-Control': 'public, max-age=900',
    ...(person.indexable === 0 && { 'X-Robots-Tag': 'noindex' }),
  })
}

const newest = Number.MAX_SAFE_INTEGER

const notThere = () =>
  new Response('There is no such feed.\n', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })

type PublicPerson = {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly language: string | null
  readonly indexable: number
  readonly created_at: number
} & Readonly<Record<string, Bindable>>

const publicPerson = preparedSql<PublicPerson, { key: string }>(
  (slot) => sql`
  select id, username, iif(name = '', username, name) as name, language, indexable, created_at from users
  where username_key = ${slot('key')} and privacy = 'public' and disabled_at is null
    and not exists (select 1 from privacy_moves where user_id = users.id)
    and not exists (select 1 from deletions where user_id = users.id)`,
)

type FeedContext = Pick<PageContext, 't' | 'language' | 'preferences'>

interface FeedContents {
  readonly details: EntryDetails
  readonly baseUrl: string
}

/** RFC 4287, in the person's language. */
function feedOf(
  person: PublicPerson,
  entries: readonly StreamEntry[],
  { details, baseUrl }: FeedContents,
): string {
  const language = languages.find((one) => one === person.language) ?? 'ja'
  const context = { language, t: messagesIn(language), preferences: defaultPreferences(language) }
  const { id, username, name, created_at } = person
  const tag = (key: string) => `tag:${new URL(baseUrl).hostname},2026:${key}`
  const page = `${baseUrl}/@${username}`
  const updated = entries.reduce((last, [one]) => Math.max(last, one.created_at), created_at)
  const items = entries.map((entry) => entryOf(context, entry, { details, baseUrl, name, username, tag }))
  return valid(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
  <id>${tag(`user-${id}`)}</id>
  <title>${name}</title>
  <author><name>${name}</name><uri>${page}</uri></author>
  <link rel="self" type="application/atom+xml" href="${page}.atom"/>
  <link rel="alternate" type="text/html" href="${page}"/>
  <updated>${isoTime(updated)}</updated>
${items}</feed>
`)
}

interface EntryOfFeed extends FeedContents {
  readonly name: string
  readonly username: string
  tag(key: string): string
}

/** Its id is that of its oldest activity, which stays while others are added. */
function entryOf(context: FeedContext, entry: StreamEntry, about: EntryOfFeed): Markup {
  const { details, baseUrl, name, username, tag } = about
  const { t } = context
  const [head] = entry
  const works = worksOf(entry)
  const work = details.works.get(head.work_id)
  const titles = works.length > 1 || work === undefined ? undefined : chosenTitle(context, work).text
  const what = titles === undefined ? t.activity.works(works.length) : t.activity.titled(titles)
  const path = works.length > 1 ? `/@${username}` : `/works/${head.work_id}`
  return html`  <entry>
    <id>${tag(`activity-${entry.at(-1)?.id ?? head.id}`)}</id>
    <title>${sentenceOf(context, entry, details, { who: name, what })}</title>
    <link rel="alternate" href="${baseUrl}${path}"/>
    <updated>${isoTime(head.created_at)}</updated>
    ${contentOf(context, head, about)}
  </entry>
`
}

/** A review in full; of records the rating they share, and a link to the comment. */
function contentOf(context: FeedContext, head: StreamEntry[0], { details, baseUrl }: FeedContents): Markup {
  const review = head.review_id === null ? undefined : details.reviews.get(head.review_id)
  const run = details.records.get(head.id)
  const rating = ratingWord(context, review?.rating ?? run?.rating ?? null)
  if (review !== undefined) {
    const text = [rating, review.text].filter((part) => part !== '').join('\n\n')
    return html`<content type="text">${text}</content>`
  }
  const comment = run?.commented
  if (comment === undefined) return html`<content type="text">${rating}</content>`
  const address = `${baseUrl}/works/${head.work_id}/episodes/id-${comment.episode_id}?record=${comment.id}`
  const link = html`<a href="${address}">${context.t.activity.readReview}</a>`
  return html`<content type="html">${html`${rating === '' ? '' : `${rating} · `}${link}`.text}</content>`
}

function ratingWord({ t }: FeedContext, rating: string | null): string {
  const state = ratingStates.find((one) => one === rating)
  return state === undefined ? '' : t.ratings[state]
}

/** Without characters that XML has not (§2.2). */
const valid = ({ text }: Markup): string =>
  text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
