import { isPrefetch } from '../../http/incoming'
import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, member, type PageRoute, seeOther } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { activityTabs } from '../parts/activity-tabs'
import { followForms } from '../parts/follow'
import { nextLink } from '../parts/page-links'
import { noticeRow } from './notice-row'
import { type AskingPerson, askingOf, markAll, markShown, type Notice, noticesOf } from './notices'

const path = '/notifications'
const pageLength = 50

/** What one is told (D118), requests to follow first. Opening it marks what it shows as read. */
const notificationsPage = definePage({
  path,
  access: member,
  show: async (visit) => {
    const { deps, session } = visit
    const asked = readIfValid(positiveInteger, queryText(visit, 'before'))
    const user = session.userId
    const before = asked ?? Number.MAX_SAFE_INTEGER
    const found = await noticesOf(deps.seen, { user, before, limit: pageLength + 1 })
    const asking = asked === undefined ? await askingOf(deps.seen, { user }) : []
    const notices = found.slice(0, pageLength)
    if (!isPrefetch(visit.request)) await markRead(visit, notices, asking)
    return show(visit, { notices, asking, hasMore: found.length > pageLength, isFirst: asked === undefined })
  },
})

const readAll = defineAction({
  path: `${path}/read`,
  access: member,
  run: async (visit) => {
    const { deps, session } = visit
    await deps.write((tx) => markAll(tx, { user: session.userId, at: deps.now() }))
    return seeOther(visit, path)
  },
})

export const notificationPages: readonly PageRoute[] = [notificationsPage, readAll]

async function markRead(
  { deps, session }: MemberVisit,
  notices: readonly Notice[],
  asking: readonly AskingPerson[],
): Promise<void> {
  const isNew = notices.some(({ read_at }) => read_at === null) || asking.some(({ is_new }) => is_new === 1)
  if (!isNew) return
  const ids = notices.map(({ id }) => id)
  const span = {
    ...{ user: session.userId, from: ids.at(-1) ?? 0, to: ids[0] ?? 0, shown: JSON.stringify(ids) },
    ...{ requests: asking.length > 0 ? (1 as const) : (0 as const), at: deps.now() },
  }
  await deps.write((tx) => markShown(tx, span))
}

interface NoticePage {
  readonly notices: readonly Notice[]
  readonly asking: readonly AskingPerson[]
  readonly hasMore: boolean
  readonly isFirst: boolean
}

function show(visit: MemberVisit, { notices, asking, hasMore, isFirst }: NoticePage): PageContent {
  const { t, basePath, member } = visit
  const isEmpty = isFirst && notices.length === 0 && asking.length === 0
  const all =
    member?.unread === 0
      ? ''
      : html`<form method="post" action="${basePath}${path}/read" data-act="read_all">${csrfInput(visit)}<button class="small">${t.notifications.readAll}</button></form>`
  const rows = html`${asking.map((person) => requestRow(visit, person))}${notices.map((notice) => noticeRow(visit, notice))}`
  const older = hasMore
    ? nextLink(`${basePath}${path}?before=${notices.at(-1)?.id ?? 0}`, t.notifications.older)
    : ''
  const list = isEmpty
    ? html`<div class="nothing">${waves()}<h2>${t.notifications.nothing}</h2><p>${t.notifications.nothingExplained}</p></div>`
    : html`<ul class="rows notices">${rows}</ul>${older}`
  const main = html`<div class="head"><h1>${t.activity.title}</h1>${all}</div>${activityTabs(visit, 'notifications')}
    <div id="notices">${followForms(visit, '#notices')}${list}</div>`
  return { title: t.activity.notifications, main, place: 'me' }
}

function requestRow(visit: MemberVisit, person: AskingPerson): Markup {
  const { t, basePath } = visit
  const { username, created_at, is_new } = person
  const answer = (decision: 'accept' | 'decline', look: string) =>
    html`<form method="post" action="${basePath}/settings/privacy/${decision}" data-act="request_${decision}" data-swap="#notices">
      ${csrfInput(visit)}<input type="hidden" name="return_to" value="${path}" /><input type="hidden" name="username" value="${username}" />
      <button class="${look} small" aria-label="${t.privacy[decision]}${t.common.colon}${username}">${t.privacy[decision]}</button></form>`
  const mark = is_new === 1 ? html`<span class="unseen">${t.notifications.isNew} </span>` : ''
  return html`<li class="row news"${is_new === 1 ? html` data-unread` : ''}>${userAvatar(visit, person)}<div class="text">${mark}<p><a href="${basePath}/@${username}"><b>${username}</b></a>${t.notifications.asks}</p><p class="meta">${moment(visit, created_at)}</p></div>
    <div class="buttons">${answer('accept', 'outlined')}${answer('decline', 'quiet')}</div></li>`
}
