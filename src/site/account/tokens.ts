import { createToken, listTokens, revokeOwnToken, tokenDescription } from '../../accounts/token'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { valid } from '../../values/field-problem'
import { duration } from '../../values/time'
import { choice, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { isRecent, member, type PageRoute, recent, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { scopeField } from '../applications/scope-options'
import { confirmation, dangerLink } from '../confirmation'
import { secretToCopy, shownOnce } from '../shown-once'

export const tokens: readonly PageRoute[] = [
  // The personal access tokens of a member (D49).
  ...defineForm({
    path: '/settings/tokens',
    access: member,
    fields: {
      description: textField({
        label: (t) => t.tokens.description,
        hint: (t) => t.tokens.descriptionHint,
        value: tokenDescription,
      }),
      scope: scopeField((t) => t.common.scope),
      expires_in: choice({
        label: (t) => t.common.validFor,
        options: {
          never: (t) => t.tokens.untilRevoked,
          '7d': (t) => t.common.days(7),
          '30d': (t) => t.common.days(30),
          '90d': (t) => t.common.days(90),
          '365d': (t) => t.tokens.aYear,
        },
      }),
    },
    button: (t) => t.tokens.create,
    once: true,
    show: async (visit, form) => {
      const { deps, session } = visit
      const tokens = await listTokens(deps.read, session.userId)
      const title = visit.t.tokens.title
      return {
        title,
        main: html`
        <h1>${title}</h1>
        <p>${visit.t.tokens.explained}</p>
        ${tokenTable(visit, tokens)}
        <h2>${visit.t.tokens.newTitle}</h2>
        ${isRecent(visit) ? form : confirmFirst(visit)}`,
      }
    },
    submit: async (visit, { description, scope, expires_in }) => {
      // An old session may list tokens, but not create one, which would outlive it (PT-01).
      const { deps, session, context } = recent(visit)
      const expiresIn = expires_in === 'never' ? undefined : valid('expires_in', duration, expires_in)
      const made = await createToken(deps, { userId: session.userId, description, scope, expiresIn })
      deps.log('token_created', { id: context.id, user: session.userId, token: made.id, scope })
      return tokenPage(visit, made.token)
    },
  }),
  ...defineForm({
    path: '/settings/tokens/:id/revoke',
    access: member,
    fields: {},
    button: (t) => t.tokens.revokeButton,
    isDestructive: true,
    show: async (visit, form) => {
      const { deps, session } = visit
      const id = pathId(visit)
      const token = (await listTokens(deps.read, session.userId)).find((one) => one.id === id)
      if (token === undefined) throw pageNotFound()
      return confirmation(visit, form, {
        title: (t) => t.tokens.revokeTitle(token.description),
        text: (t) => t.tokens.revokeExplained,
        back: '/settings/tokens',
      })
    },
    submit: async (visit) => {
      const { deps, session, context } = visit
      const id = pathId(visit)
      if (!(await revokeOwnToken(deps, session.userId, id))) throw pageNotFound()
      deps.log('token_revoked', { id: context.id, user: session.userId, token: id })
      return seeOther(visit, '/settings/tokens')
    },
  }),
]

function tokenTable(visit: MemberVisit, tokens: Awaited<ReturnType<typeof listTokens>>): Markup {
  const { deps, t } = visit
  if (tokens.length === 0) return html`<p>${t.tokens.none}</p>`
  const expiry = (at: number | null) =>
    html`${moment(visit, at, t.common.never)}${at !== null && at <= deps.now() ? t.tokens.expired : ''}`
  const revoke = (id: number, name: string) =>
    dangerLink(visit, `/settings/tokens/${id}/revoke`, t.common.revoke, name)
  return table(tokens, [
    [t.tokens.description, ({ description }) => description],
    [t.common.scope, ({ scope }) => html`<code>${scope}</code>`],
    [t.tokens.created, ({ created_at }) => moment(visit, created_at)],
    [t.common.expires, ({ expires_at }) => expiry(expires_at)],
    [t.common.lastUsed, ({ last_used_at }) => moment(visit, last_used_at, t.common.never)],
    ['', ({ id, description }) => revoke(id, description)],
  ])
}

const confirmFirst = ({ t, basePath }: MemberVisit) => html`
  <p class="notice">${t.tokens.longAgo}
  <a href="${basePath}/confirm?return_to=%2Fsettings%2Ftokens">${t.tokens.confirmFirst}</a></p>`

const tokenPage = ({ t, basePath }: MemberVisit, token: string) =>
  shownOnce(
    t.tokens.createdTitle,
    secretToCopy(t.tokens.copyNow, 'access_token', token),
    html`<a href="${basePath}/settings/tokens">${t.tokens.back}</a>`,
  )
