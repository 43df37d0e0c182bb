import { isoTime } from '../../lib/time'
import { ratingStates } from '../../library/ratings'
import { type Language, messagesIn } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { defaultPreferences } from '../../pages/preferences'
import { chosenTitle } from '../../pages/title'
import type { TitleLanguage } from '../../values/preferences'
import { type EntryDetails, worksOf } from '../activity/details'
import type { StreamEntry } from '../activity/entries'
import { sentenceOf } from '../activity/entry'

export const mostEntries = 50

/** Whose activity it is, and for whom it is written. */
export interface ActivityChannel {
  /** What follows the host in its id, and stays the same. */
  readonly key: string
  readonly title: string
  readonly author: Markup
  /** Absent for an address that is a secret. */
  readonly self?: string
  readonly page: string
  readonly language: Language
  readonly titleLanguage?: TitleLanguage
  /** Whether reviews of what the reader has not watched are only linked. */
  readonly guardsSpoilers: boolean
  /** Of one without entries; epoch milliseconds. */
  readonly begun: number
}

type FeedContext = Pick<PageContext, 't' | 'language' | 'preferences'>

interface FeedContents {
  readonly details: EntryDetails
  readonly baseUrl: string
}

/** Activity as RFC 4287 has it. */
export function activityAtom(
  channel: ActivityChannel,
  entries: readonly StreamEntry[],
  { details, baseUrl }: FeedContents,
): string {
  const { key, title, author, self, page, language, titleLanguage } = channel
  const usual = defaultPreferences(language)
  const preferences = { ...usual, titleLanguage: titleLanguage ?? usual.titleLanguage }
  const context = { language, t: messagesIn(language), preferences }
  const tag = (name: string) => `tag:${new URL(baseUrl).hostname},2026:${name}`
  const updated = entries.reduce((last, [one]) => Math.max(last, one.created_at), channel.begun)
  const items = entries.map((entry) => entryOf(context, entry, { details, baseUrl, channel, tag }))
  const own =
    self === undefined ? '' : html`  <link rel="self" type="application/atom+xml" href="${self}"/>\n`
  return valid(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
  <id>${tag(key)}</id>
  <title>${title}</title>
  <author>${author}</author>
${own}  <link rel="alternate" type="text/html" href="${page}"/>
  <updated>${isoTime(updated)}</updated>
${items}</feed>
`)
}

interface EntryOfFeed extends FeedContents {
  readonly channel: ActivityChannel
  tag(name: string): string
}

/** Its id is that of its oldest activity, which stays while others are added. Nothing of a person who is gone by now. */
function entryOf(context: FeedContext, entry: StreamEntry, about: EntryOfFeed): Markup {
  const { details, baseUrl, tag } = about
  const { t } = context
  const [head] = entry
  const person = details.people.get(head.user_id)
  if (person === undefined) return html``
  const { name, username } = person
  const works = worksOf(entry)
  const work = details.works.get(head.work_id)
  const titles = works.length > 1 || work === undefined ? undefined : chosenTitle(context, work).text
  const what = titles === undefined ? t.activity.works(works.length) : t.activity.titled(titles)
  const path = works.length > 1 ? `/@${username}` : `/works/${head.work_id}`
  return html`  <entry>
    <id>${tag(`activity-${entry.at(-1)?.id ?? head.id}`)}</id>
    <title>${sentenceOf(context, entry, details, { who: name, what })}</title>
    <author><name>${name}</name><uri>${baseUrl}/@${username}</uri></author>
    <link rel="alternate" href="${baseUrl}${path}"/>
    <updated>${isoTime(head.created_at)}</updated>
    ${contentOf(context, head, about)}
  </entry>
`
}

/** A review in full; of records the rating they share, and a link to the comment. */
function contentOf(context: FeedContext, head: StreamEntry[0], about: EntryOfFeed): Markup {
  const { details, baseUrl, channel } = about
  const { t } = context
  const review = head.review_id === null ? undefined : details.reviews.get(head.review_id)
  const run = details.records.get(head.id)
  const rating = ratingWord(context, review?.rating ?? run?.rating ?? null)
  const linked = (address: string, text: string) => {
    const link = html`<a href="${address}">${text}</a>`
    return html`<content type="html">${html`${rating === '' ? '' : `${rating} · `}${link}`.text}</content>`
  }
  if (review !== undefined) {
    if (channel.guardsSpoilers && review.was_seen === 0 && review.text !== '')
      return linked(`${baseUrl}/reviews/${review.id}`, t.activity.readReview)
    const text = [rating, review.text].filter((part) => part !== '').join('\n\n')
    return html`<content type="text">${text}</content>`
  }
  const comment = run?.commented
  if (comment === undefined) return html`<content type="text">${rating}</content>`
  const address = `${baseUrl}/works/${head.work_id}/episodes/id-${comment.episode_id}?record=${comment.id}`
  return linked(address, t.activity.readReview)
}

function ratingWord({ t }: FeedContext, rating: string | null): string {
  const state = ratingStates.find((one) => one === rating)
  return state === undefined ? '' : t.ratings[state]
}

/** Without characters that XML has not (§2.2). */
const valid = ({ text }: Markup): string =>
  text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
