import { disconnectIdentity, listIdentities, tellDisconnected } from '../../accounts/provider/identity'
import { wayRules } from '../../accounts/sign-in/ways-in'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { FieldProblem } from '../../values/field-problem'
import { defineAction } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, member, type PageRoute, recent, seeOther } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { leaveForProvider, providerOf } from '../sign-in/provider'
import { providerTargets } from '../sign-in/provider-links'

const path = '/settings/providers'

type Identity = Awaited<ReturnType<typeof listIdentities>>[number]

export const providerSettings: readonly PageRoute[] = [
  definePage({
    path,
    access: member,
    show: async (visit) => {
      const { deps, session, t } = visit
      const { providers } = deps.config
      const identities = await listIdentities(deps.read, session.userId)
      const rows = [
        ...providers.map(({ id, name, issuer }) => {
          const identity = identities.find((one) => one.issuer === issuer)
          return identity === undefined ? unconnected(visit, { id, name }) : connected(visit, name, identity)
        }),
        ...identities
          .filter(({ issuer }) => !providers.some((one) => one.issuer === issuer))
          .map((identity) => connected(visit, new URL(identity.issuer).host, identity, t.providers.gone)),
      ]
      return {
        title: t.providers.title,
        formTargets: providerTargets(providers),
        main: html`
          <h1>${t.providers.title}</h1>
          <p>${rows.length === 0 ? t.providers.none : t.providers.explained}</p>
          ${rows.length === 0 ? '' : html`<ul class="rows">${rows}</ul>`}`,
      }
    },
  }),
  // Forced connecting: a CSRF token, somebody who has just confirmed, and the same session when they come back.
  defineAction({
    path: `${path}/:id/connect`,
    access: recent,
    run: (visit) => leaveForProvider(visit, providerOf(visit), { purpose: 'connect', returnTo: path }),
  }),
  defineAction({
    path: `${path}/:id/disconnect`,
    access: recent,
    run: async (visit) => {
      const { deps, session, context, language } = visit
      const leaving = { userId: session.userId, id: pathId(visit), rules: wayRules(deps.config) }
      const gone = await deps
        .write((tx) => disconnectIdentity(tx, { ...leaving, except: session.id }))
        .catch((cause) => {
          throw cause instanceof FieldProblem ? new FormProblem('', cause.text) : cause
        })
      if (gone === undefined) throw pageNotFound()
      const known = deps.config.providers.find(({ issuer }) => issuer === gone.issuer)
      deps.log('identity_disconnected', { id: context.id, user: session.userId, provider: known?.id })
      const name = known?.name ?? new URL(gone.issuer).host
      tellDisconnected(deps, session.userId, { name, language })
      return seeOther(visit, path)
    },
  }),
]

function connected(visit: MemberVisit, name: string, identity: Identity, more = ''): Markup {
  const { t } = visit
  const { id, name: as, created_at, last_used_at } = identity
  return html`<li class="row"><div class="text"><b>${name}</b> ${as === '' ? '' : t.providers.as(as)}
      <span class="meta">${more}${more === '' ? '' : ' · '}${t.providers.since} ${moment(visit, created_at)} ·
        ${t.common.lastUsed} ${moment(visit, last_used_at, t.common.never)}</span></div>
    ${action(visit, { id, act: 'disconnect', label: t.providers.disconnect, name })}</li>`
}

function unconnected(visit: MemberVisit, { id, name }: { id: string; name: string }): Markup {
  const { t } = visit
  return html`<li class="row"><div class="text"><b>${name}</b>
      <span class="meta">${t.providers.notConnected}</span></div>
    ${action(visit, { id, act: 'connect', label: t.providers.connect, name })}</li>`
}

const action = (
  visit: MemberVisit,
  {
    id,
    act,
    label,
    name,
  }: { id: string | number; act: 'connect' | 'disconnect'; label: string; name: string },
): Markup =>
  html`<form method="post" action="${visit.basePath}${path}/${id}/${act}" data-act="${act}" data-provider="${id}">
    ${csrfInput(visit)}<button class="small" aria-label="${label}${visit.t.common.colon}${name}">${label}</button>
  </form>`
