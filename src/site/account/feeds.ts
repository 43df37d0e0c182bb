import {
  alarmOf,
  createFeed,
  feedAddresses,
  feedName,
  listFeeds,
  mostFeeds,
  renewFeed,
  revokeOwnFeed,
} from '../../accounts/calendar-feeds'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { checkbox, choice, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { confirmation, dangerLink } from '../confirmation'
import { secretToCopy, shownOnce } from '../shown-once'

const path = '/settings/calendar'

/** Calendars that other programs read by a secret address (D83). */
export const calendarFeeds: readonly PageRoute[] = [
  ...defineForm({
    path,
    access: member,
    act: 'feed_create',
    fields: {
      name: textField({ label: (t) => t.feeds.name, hint: (t) => t.feeds.nameHint, value: feedName }),
      wanted: checkbox({ label: (t) => t.feeds.wanted }),
      with_rule: checkbox({ label: (t) => t.feeds.withRule }),
      alarm: choice({
        label: (t) => t.feeds.alarm,
        options: {
          none: (t) => t.feeds.noAlarm,
          0: (t) => t.feeds.atBegin,
          10: (t) => t.feeds.minutesBefore(10),
          30: (t) => t.feeds.minutesBefore(30),
        },
      }),
    },
    initial: () => ({ name: 'kiroku', wanted: '1', with_rule: '1', alarm: 'none' }),
    button: (t) => t.feeds.create,
    once: true,
    show: async (visit, form) => {
      const feeds = await listFeeds(visit.deps.read, visit.session.userId)
      const { t } = visit
      const main = html`<h1>${t.feeds.title}</h1>
        <p>${t.feeds.explained}</p>
        ${feedTable(visit, feeds)}
        ${feeds.length >= mostFeeds ? html`<p>${t.feeds.most(mostFeeds)}</p>` : html`<h2>${t.feeds.newTitle}</h2>${form}`}`
      return { title: t.feeds.title, main }
    },
    submit: async (visit, { name, wanted, with_rule, alarm }) => {
      const { deps, session, language, preferences } = visit
      const { titleLanguage, timeZone } = preferences
      const said = { userId: session.userId, name, wanted, alarm: alarmOf(alarm), withRule: with_rule }
      const { secret } = await createFeed(deps, { ...said, language, titleLanguage, timeZone })
      return addressPage(visit, secret)
    },
  }),
  ...defineForm({
    path: `${path}/:id/renew`,
    access: member,
    fields: {},
    button: (t) => t.feeds.renew,
    once: true,
    show: async (visit, form) => {
      const feed = await ownFeed(visit)
      return confirmation(visit, form, {
        title: (t) => t.feeds.renewTitle(feed.name),
        text: (t) => t.feeds.renewExplained,
        back: path,
      })
    },
    submit: async (visit) => {
      const secret = await renewFeed(visit.deps, visit.session.userId, pathId(visit))
      if (secret === undefined) throw pageNotFound()
      return addressPage(visit, secret)
    },
  }),
  ...defineForm({
    path: `${path}/:id/revoke`,
    access: member,
    act: 'feed_revoke',
    fields: {},
    button: (t) => t.feeds.revoke,
    isDestructive: true,
    show: async (visit, form) => {
      const feed = await ownFeed(visit)
      return confirmation(visit, form, {
        title: (t) => t.feeds.revokeTitle(feed.name),
        text: (t) => t.feeds.revokeExplained,
        back: path,
      })
    },
    submit: async (visit) => {
      if (!(await revokeOwnFeed(visit.deps, visit.session.userId, pathId(visit)))) throw pageNotFound()
      return seeOther(visit, path)
    },
  }),
]

type Feeds = Awaited<ReturnType<typeof listFeeds>>

async function ownFeed(visit: MemberVisit): Promise<Feeds[number]> {
  const id = pathId(visit)
  const feed = (await listFeeds(visit.deps.read, visit.session.userId)).find((one) => one.id === id)
  if (feed === undefined) throw pageNotFound()
  return feed
}

function feedTable(visit: MemberVisit, feeds: Feeds): Markup {
  const { t, basePath } = visit
  if (feeds.length === 0) return html``
  return table(feeds, [
    [t.feeds.name, ({ name }) => name],
    [t.feeds.created, ({ created_at }) => moment(visit, created_at)],
    [
      t.common.lastUsed,
      (feed) => html`${moment(visit, feed.last_used_at, t.common.never)} ${feed.last_agent}`,
    ],
    [
      '',
      ({ id, name }) =>
        html`<a href="${basePath}${path}/${id}/renew" aria-label="${t.feeds.renew}${t.common.colon}${name}">${t.feeds.renew}</a>`,
    ],
    ['', ({ id, name }) => dangerLink(visit, `${path}/${id}/revoke`, t.common.revoke, name)],
  ])
}

/** `webcal:` opens a calendar application, which then goes on reading the address. */
function addressPage({ t, basePath, deps }: MemberVisit, secret: string) {
  const { ics, atom, following } = feedAddresses(deps.config.baseUrl, secret)
  const webcal = ics.replace(/^https?:/, 'webcal:')
  return shownOnce(
    t.feeds.createdTitle,
    html`${secretToCopy(t.feeds.copyNow, 'ics_url', ics)}
      <p><a class="button filled" href="${webcal}">${t.feeds.subscribe}</a> <button class="small" data-copy="ics_url" hidden>${t.common.copy}</button></p>
      ${secretToCopy(t.feeds.forReaders, 'atom_url', atom)}
      ${secretToCopy(t.feeds.forFollowing, 'following_url', following)}
      <p>${t.feeds.whoeverHasIt}</p>`,
    html`<a href="${basePath}${path}">${t.feeds.back}</a>`,
  )
}
