import { endSessions, listSessions } from '../../accounts/sign-in/session'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { defineAction } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { definePage, type PageRoute, recent, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { dangerZone } from '../confirmation'

export const sessions: readonly PageRoute[] = [
  // ASVS 7.5.2.
  definePage({
    path: '/settings/sessions',
    access: recent,
    show: async (visit) => {
      const { deps, session } = visit
      const all = await listSessions(deps, session.userId)
      const title = visit.t.sessions.title
      const others = visit.t.sessions.others
      return {
        title,
        main: html`
        <h1>${title}</h1>
        ${sessionTable(visit, all)}
        ${all.length > 1 ? dangerZone(others, endOthersForm(visit)) : ''}`,
      }
    },
  }),
  // Throws the 404 page for the session of another user.
  defineAction({
    path: '/settings/sessions/:id/end',
    access: recent,
    run: async (visit) => {
      const { deps, session, context } = visit
      const id = pathId(visit)
      const ended = await deps.write((tx) => endSessions(tx, session.userId, { only: id }))
      if (ended === 0) throw pageNotFound()
      deps.log('session_ended', { id: context.id, user: session.userId, session: id })
      return seeOther(visit, '/settings/sessions')
    },
  }),
  defineAction({
    path: '/settings/sessions/end_others',
    access: recent,
    run: async (visit) => {
      const { deps, session, context } = visit
      const ended = await deps.write((tx) => endSessions(tx, session.userId, { except: session.id }))
      deps.log('other_sessions_ended', { id: context.id, user: session.userId, ended })
      return seeOther(visit, '/settings/sessions')
    },
  }),
]

const endOthersForm = (visit: MemberVisit): Markup => html`
  <p>${visit.t.sessions.othersHint}</p>
  ${buttonForm(visit, '/settings/sessions/end_others', visit.t.sessions.signOutOthers, 'danger')}`

function sessionTable(visit: MemberVisit, all: Awaited<ReturnType<typeof listSessions>>): Markup {
  const { session, t } = visit
  const end = (id: number) => buttonForm(visit, `/settings/sessions/${id}/end`, t.signIn.signOut, 'danger')
  return table(all, [
    [t.sessions.browser, ({ user_agent }) => browserName(user_agent, t)],
    [t.sessions.address, ({ address }) => address],
    [t.sessions.signedIn, ({ created_at }) => moment(visit, created_at)],
    [t.common.lastUsed, ({ last_used_at }) => moment(visit, last_used_at)],
    ['', ({ id }) => (id === session.id ? t.sessions.thisOne : end(id))],
  ])
}

/** From a User-Agent header; good enough to tell one's own sessions apart. */
export function browserName(userAgent: string, t: Messages): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  if (browser === undefined) return t.sessions.unknownBrowser
  return system === undefined ? browser : t.sessions.browserOn(browser, system)
}

const nameIn = (userAgent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([sign]) => sign.test(userAgent))?.[1]

// Most browsers also name the ones they derive from, so the derived ones come first.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const
