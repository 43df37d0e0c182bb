import { html, type Markup } from '../../pages/html'
import { sprite, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { definePage, member, type PageRoute } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { type ActivityTab, activityPaths, activityTabs } from '../parts/activity-tabs'
import { nextLink } from '../parts/page-links'
import { peopleHere } from '../people/people-here'
import { detailsOf, type EntryDetails } from './details'
import type { StreamEntry } from './entries'
import { entryMarkup } from './entry'
import { type EntryPage, pageOfEntries } from './stream'

/** What those one follows did, and what everybody did (`people.md` §5): members only. */
export const activityPages: readonly PageRoute[] = [
  definePage({
    path: activityPaths.following,
    access: member,
    show: (visit) => showActivity(visit, 'following'),
  }),
  definePage({
    path: activityPaths.everyone,
    access: member,
    show: (visit) => showActivity(visit, 'everyone'),
  }),
]

type Tab = Exclude<ActivityTab, 'notifications'>

const pageLength = 30

async function showActivity(visit: MemberVisit, tab: Tab): Promise<PageContent> {
  const { t, deps, session } = visit
  const asked = readIfValid(positiveInteger, queryText(visit, 'before'))
  const before = asked ?? Number.MAX_SAFE_INTEGER
  const isFirst = asked === undefined
  const whose = tab === 'everyone' ? { everyone: true as const } : { following: session.userId }
  const page = await pageOfEntries(deps.crowd, whose, { before, limit: pageLength })
  const details = await detailsOf(deps.crowd, page.entries, session.userId)
  const main = html`${sprite('great', 'good', 'average', 'bad', 'heart', 'eye', 'comment')}<h1>${t.activity.title}</h1>${activityTabs(visit, tab)}
    <div class="activity"><div id="opinions">${page.entries.length === 0 && page.next === undefined ? nothing(visit, tab) : days(visit, page, details)}${older(visit, tab, page)}</div>
    ${isFirst && tab === 'following' ? await peopleHere(visit) : ''}</div>`
  return { title: t.activity.title, main, place: 'me' }
}

function days(visit: MemberVisit, { entries }: EntryPage, details: EntryDetails): readonly Markup[] {
  const dayOf = ([newest]: StreamEntry) => readerTime(visit, newest.created_at).dayNumber
  return [...Map.groupBy(entries, dayOf)].map(
    ([day, some]) =>
      html`<section class="told-day"><h2>${dayName(visit, day)}</h2>${some.map((entry) => html`${entryMarkup(visit, entry, details)}`)}</section>`,
  )
}

function dayName(visit: MemberVisit, day: number): string {
  const { t } = visit
  const today = readerTime(visit, visit.now)
  if (day === today.dayNumber) return t.activity.today
  if (day === today.dayNumber - 1) return t.activity.yesterday
  const isThisYear = new Date(day * 86_400_000).getUTCFullYear() === today.year
  return formatDay(visit, day, isThisYear ? 'weekdayAndDay' : 'dayAndYear')
}

const older = ({ t, basePath }: MemberVisit, tab: Tab, { next }: EntryPage): Markup | '' =>
  next === undefined ? '' : nextLink(`${basePath}${activityPaths[tab]}?before=${next}`, t.activity.older)

/** Nobody is followed, or nobody did anything. */
function nothing({ t, basePath }: MemberVisit, tab: Tab): Markup {
  const { activity } = t
  if (tab === 'everyone')
    return html`<div class="nothing">${waves()}<h2>${activity.nothing}</h2><p>${activity.nothingExplained}</p><a class="button filled" href="${basePath}/">${t.diary.toTrack}</a></div>`
  return html`<div class="nothing">${waves()}<h2>${activity.nothing}</h2><p>${activity.nobodyFollowedExplained}</p><a class="button filled" href="${basePath}${activityPaths.everyone}">${activity.seeEveryone}</a></div>`
}
