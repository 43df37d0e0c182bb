import { endSessions } from '../../accounts/sign-in/session'
import { type ListedSignIn, listSignIns, ownSignIn } from '../../accounts/sign-in/sign-ins'
import { html, type Markup } from '../../pages/html'
import { type IconName, icon } from '../../pages/icons'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { defineAction } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { definePage, type PageRoute, recent, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { browserName } from './sessions'

const path = '/settings/sign_ins'

export const signIns: readonly PageRoute[] = [
  definePage({
    path,
    access: recent,
    show: async (visit) => {
      const { deps, session, t } = visit
      const all = await listSignIns(deps, session.userId)
      const isNew = all.find(({ outcome }) => outcome === 'new_browser')
      const signOutOthers = buttonForm(visit, '/settings/sessions/end_others', t.sessions.signOutOthers)
      return {
        title: t.signIns.title,
        main: html`
          <div class="head"><h1>${t.signIns.title}</h1>${signOutOthers}</div>
          <p class="meta">${t.signIns.explained}</p>
          ${isNew === undefined ? '' : newBrowserNote(visit, isNew)}
          ${all.length === 0 ? html`<p>${t.signIns.none}</p>` : signInTable(visit, all)}`,
      }
    },
  }),
  defineAction({
    path: `${path}/:id/own`,
    access: recent,
    run: async (visit) => {
      const { deps, session } = visit
      const id = pathId(visit)
      if (!(await deps.write((tx) => ownSignIn(tx, session.userId, id, deps.now())))) throw pageNotFound()
      return seeOther(visit, path)
    },
  }),
  // Whoever it was is signed out at once, and the way in comes next.
  defineAction({
    path: `${path}/:id/not_own`,
    access: recent,
    run: async (visit) => {
      const { deps, session, context } = visit
      const id = pathId(visit)
      const ended = await deps.write(async (tx) => {
        if (!(await ownSignIn(tx, session.userId, id, deps.now()))) throw pageNotFound()
        return await endSessions(tx, session.userId, { except: session.id })
      })
      deps.log('other_sessions_ended', { id: context.id, user: session.userId, ended })
      return seeOther(visit, session.hasPassword ? '/settings/password' : '/settings/sessions')
    },
  }),
]

function newBrowserNote(visit: MemberVisit, { id, at, user_agent }: ListedSignIn): Markup {
  const { t } = visit
  const browser = browserName(user_agent, t)
  return html`<div class="note" id="new-browser">${icon('question')}
    <p class="text"><b>${moment(visit, at)}</b>${t.common.colon}${t.signIns.newBrowserNote(browser)}</p>
    <div class="buttons">
      ${buttonForm(visit, `${path}/${id}/own`, t.signIns.own, 'small')}
      ${buttonForm(visit, `${path}/${id}/not_own`, t.signIns.notOwn, 'small')}
    </div>
  </div>`
}

const signInTable = (visit: MemberVisit, all: readonly ListedSignIn[]): Markup => {
  const { t } = visit
  return table(all, [
    [t.signIns.when, ({ at }) => moment(visit, at)],
    [t.signIns.how, (row) => wayMarkup(visit, row)],
    [t.signIns.outcome, (row) => outcomeMarkup(visit, row)],
    [t.sessions.browser, ({ user_agent }) => browserName(user_agent, t)],
    [t.sessions.address, ({ address }) => address],
  ])
}

function wayMarkup({ t }: MemberVisit, row: ListedSignIn): Markup {
  const ways: Readonly<Record<ListedSignIn['way'], readonly [IconName, string]>> = {
    password: ['lock', t.signIns.passwordWays[row.second_step || 'alone']],
    passkey: ['passkey', t.signIns.withPasskey(row.passkey)],
    provider: ['globe', row.provider],
    link: ['link', t.signIns.withLink],
  }
  const [drawing, words] = ways[row.way]
  return html`<span class="state" data-sign-in="${row.id}" data-way="${row.way}" data-outcome="${row.outcome}">${icon(drawing, 16)} ${words}</span>`
}

function outcomeMarkup({ t }: MemberVisit, { outcome, way }: ListedSignIn): Markup {
  const marks = {
    ok: ['seen', 'watched'],
    new_browser: ['hold', 'question'],
    wrong: ['wrong', 'close'],
    wrong_code: ['wrong', 'close'],
    disabled: ['wrong', 'banned'],
  } as const
  const [kind, drawing] = marks[outcome]
  const isPassword = outcome !== 'wrong' || way === 'password'
  const words = isPassword ? t.signIns.outcomes[outcome] : t.signIns.refused
  return html`<span class="state ${kind}">${icon(drawing, 14)} ${words}</span>`
}
