import { isDeletedName } from '../../accounts/account/user'
import { avatar, userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { spriteIcon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { type TimeStyle, timeMarkup } from '../../pages/moment'
import { chosenTitle } from '../../pages/title'
import { returnPath } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { comment, likeForm } from '../parts/opinion'
import { type Rated, ratingMark } from '../parts/rating'
import { guardsSpoilers } from '../parts/spoilers'
import { threadLink } from '../parts/thread-link'
import { textLimit } from '../work/opinions'
import {
  type EntryDetails,
  mostCovers,
  type ToldPerson,
  type ToldRecords,
  type ToldReview,
  type ToldText,
  type ToldWork,
  worksOf,
} from './details'
import type { StreamEntry } from './entries'

/** An entry and what it is about. Without its person or work, which are gone by now, there is nothing to tell. */
export function entryMarkup(
  visit: MemberVisit,
  entry: StreamEntry,
  details: EntryDetails,
  time: 'clock' | 'when' = 'clock',
): Markup | '' {
  const [newest] = entry
  const person = details.people.get(newest.user_id)
  const works = worksOf(entry)
  const shown = works.slice(0, mostCovers).flatMap((id) => details.works.get(id) ?? [])
  const [work] = shown
  if (person === undefined || work === undefined) return ''
  const named =
    works.length === 1 ? titleLink(visit, work) : html`<b>${visit.t.activity.works(works.length)}</b>`
  const told = toldOf(visit, entry, details)
  const id = told?.text === undefined ? `entry-${newest.id}` : `${told.kind}-${told.text.id}`
  const pieces = new Map([
    [who, personNames(visit, details.together.get(newest.id) ?? [person])],
    [what, named],
  ])
  const sentence = filled(sentenceOf(visit, entry, details, { who, what }), pieces)
  return html`<article class="told" id="${id}" aria-labelledby="told-${newest.id}" data-entry="${newest.id}" data-user="${person.username}" data-work="${newest.work_id}" data-count="${told?.count ?? entry.length}">${picture(visit, person)}<div class="text"><p id="told-${newest.id}">${sentence}</p><p class="meta">${entryTime(visit, entry, time)}${told?.meta ?? ''}</p>${told === undefined ? '' : opinion(visit, told, { id, person, work })}${
    works.length === 1 ? '' : covers(visit, shown, works.length)
  }</div>${works.length === 1 ? coverLink(visit, work) : ''}</article>`
}

/** What was watched or written, as opposed to a status. */
interface Told {
  readonly kind: 'record' | 'review'
  readonly count: number
  readonly meta: Markup
  /** What is liked. */
  readonly text: ToldText
  readonly commented: ToldText | undefined
  /** Where the whole comment is. */
  readonly path: string
}

// Stand for markup in a sentence.
const [who, what] = ['\ue000', '\ue001']

function toldOf(
  visit: MemberVisit,
  [newest]: StreamEntry,
  { records, reviews }: EntryDetails,
): Told | undefined {
  const run = records.get(newest.id)
  if (run !== undefined) return toldRecords(visit, run)
  const review = newest.review_id === null ? undefined : reviews.get(newest.review_id)
  return review && toldReview(visit, review)
}

function toldRecords(visit: MemberVisit, run: ToldRecords): Told {
  const { t } = visit
  const { count, newest, commented } = run
  const row = run.isRange === 1 ? html`<span>· ${t.activity.inARow(count)}</span>` : ''
  return {
    ...{ kind: 'record', count, text: newest, commented },
    meta: html`${row}${ratedAfter(visit, run)}`,
    path: `${visit.basePath}/records/${commented?.id ?? 0}`,
  }
}

function toldReview(visit: MemberVisit, review: ToldReview): Told {
  return {
    ...{ kind: 'review', count: 1, text: review, commented: review.text === '' ? undefined : review },
    meta: ratedAfter(visit, review),
    path: `${visit.basePath}/reviews/${review.id}`,
  }
}

function ratedAfter(visit: MemberVisit, rated: Rated): Markup {
  const mark = ratingMark(visit, rated, spriteIcon)
  return mark.text === '' ? mark : html`<span>·</span>${mark}`
}

/** What somebody did, in a sentence. `who`, `what`: how it names them; markup may stand for either. */
export function sentenceOf(
  context: Pick<PageContext, 't' | 'language'>,
  [newest]: StreamEntry,
  { records, reviews, together }: EntryDetails,
  { who, what }: { readonly who: string; readonly what: string },
): string {
  const { activity } = context.t
  if (newest.status_kind !== null) return activity.did[newest.status_kind](who, what)
  const review = newest.review_id === null ? undefined : reviews.get(newest.review_id)
  if (review !== undefined) return (review.is_viewing === 1 ? activity.viewed : activity.reviewed)(who, what)
  const run = records.get(newest.id)
  if (run === undefined) return activity.viewed(who, what)
  const { count, first, last, isRange } = run
  const people = together.get(newest.id)
  if (people !== undefined) {
    const episodes = count === 1 ? episodeName(context, run.newest) : activity.range(first, last)
    return activity.together(who, episodes, what, people.length)
  }
  if (count === 1) return activity.recorded(who, episodeName(context, run.newest), what)
  return isRange === 1
    ? activity.recordedRange(who, first, last, what)
    : activity.recordedSome(who, count, what)
}

const filled = (sentence: string, pieces: ReadonlyMap<string, Markup>): readonly Markup[] =>
  sentence.split(/([\ue000\ue001])/).map((part) => pieces.get(part) ?? html`${part}`)

/** An entry of several activities says when it began, too. */
function entryTime(visit: MemberVisit, entry: StreamEntry, time: TimeStyle): Markup {
  const [newest] = entry
  const first = entry.at(-1)?.created_at ?? newest.created_at
  const isLong = newest.created_at - first > halfDay
  const style = isLong ? 'when' : time
  const until = timeMarkup(visit, newest.created_at, style)
  const isShort = newest.created_at - first < minute || (time === 'when' && !isLong)
  return isShort ? until : html`<span>${timeMarkup(visit, first, style)}–${until}</span>`
}

const minute = 60_000
const halfDay = 12 * 60 * minute

interface About {
  /** Of the entry's element. */
  readonly id: string
  readonly person: ToldPerson
  readonly work: ToldWork
}

function opinion(visit: MemberVisit, told: Told, about: About): Markup {
  const { kind, text, commented, path } = told
  const { username } = about.person
  const discussed = commented ?? (text.comments_count > 0 ? text : undefined)
  const thread = discussed && threadLink(visit, { ...discussed, kind, username }, spriteIcon)
  return html`${commented === undefined ? '' : opinionText(visit, commented, { ...about, path })}<div class="opinion-acts">${likeForm(visit, { ...text, kind, username }, spriteIcon)}${thread ?? ''}</div>`
}

/** Of what the reader has not watched, only that it is there; `?spoilers=show` shows it. */
function opinionText(
  visit: MemberVisit,
  { text, was_seen }: ToldText,
  { id, work, path }: About & Pick<Told, 'path'>,
): Markup {
  if (was_seen === 1 || !guardsSpoilers(visit)) return comment(visit, text, { limit: textLimit(visit), path })
  const { t, basePath } = visit
  const page = returnPath(visit)
  const shown = `${basePath}${page}${page.includes('?') ? '&' : '?'}spoilers=show#${id}`
  const label = `${t.work.showSpoilers}${t.common.colon}${chosenTitle(visit, work).text}`
  return html`<div class="fold">${spriteIcon('eye')}<span class="text">${t.activity.guarded}</span><a class="button small" href="${shown}" aria-label="${label}">${t.work.showSpoilers}</a></div>`
}

/** A list as a sentence has it. */
function personNames(visit: PageContext, people: readonly ToldPerson[]): Markup {
  const list = new Intl.ListFormat(visit.t.language.locale)
  const parts = list.formatToParts(people.map((_, at) => String(at)))
  return html`${parts.map(({ type, value }) => {
    const person = type === 'element' ? people[Number(value)] : undefined
    return person === undefined ? html`${value}` : personName(visit, person)
  })}`
}

const personName = (pageContext: PageContext, { username, name }: ToldPerson): Markup =>
  isDeletedName(username)
    ? html`<b>${pageContext.t.common.formerMember}</b>`
    : html`<a href="${pageContext.basePath}/@${username}"><b>${name}</b></a>`

const picture = (pageContext: PageContext, person: ToldPerson): Markup =>
  isDeletedName(person.username) ? avatar('?') : userAvatar(pageContext, person)

function titleLink(pageContext: PageContext, work: ToldWork): Markup {
  const { text, lang } = chosenTitle(pageContext, work)
  const title = pageContext.t.activity.titled(text)
  return work.hidden === 1
    ? html`<span lang="${lang}">${title}</span>`
    : html`<a class="work" lang="${lang}" href="${workPath(pageContext, work.id)}">${title}</a>`
}

/** The title is linked already. */
const coverLink = (pageContext: PageContext, work: ToldWork): Markup =>
  work.hidden === 1
    ? cover(pageContext, work, 40)
    : html`<a href="${workPath(pageContext, work.id)}" tabindex="-1" aria-hidden="true">${cover(pageContext, work, 40)}</a>`

function covers(pageContext: PageContext, shown: readonly ToldWork[], count: number): Markup {
  const one = (work: ToldWork) =>
    work.hidden === 1
      ? cover(pageContext, work, 40)
      : html`<a href="${workPath(pageContext, work.id)}" aria-label="${chosenTitle(pageContext, work).text}">${cover(pageContext, work, 40)}</a>`
  const more = count > shown.length ? html`<b>${pageContext.t.activity.more(count - shown.length)}</b>` : ''
  return html`<div class="told-works">${shown.map(one)}${more}</div>`
}
