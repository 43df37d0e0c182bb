import type { Messages } from '../../messages/en'
import { challengeOf, createVerifier } from '../../oauth/authorize/pkce'
import { formerSecretEnds, type OwnedApplication } from '../../oauth/clients/owned-applications'
import { refusedUris, unencryptedUris } from '../../oauth/clients/registration'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { definePage, member } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { dangerZone } from '../confirmation'
import { applicationsPath, ownApplication, pathOfApplication } from './applications'

export const showApplication = definePage({
  path: `${applicationsPath}/:id`,
  access: member,
  show: async (visit) => {
    const { deps } = visit
    const application = await ownApplication(visit)
    const former = await formerSecretEnds(deps.read, application.id, deps.now())
    return {
      title: application.name,
      main: html`
        <h1>${application.name}</h1>
        ${former === undefined ? '' : formerSecret(visit, former)}
        ${refused(visit, application)}
        ${unencrypted(visit, application)}
        ${factList(visit, application)}
        ${changeLinks(visit, application)}
        <h2>${visit.t.applications.tryIt}</h2>
        ${authorizeLink(visit, application)}
        <p><a href="${visit.basePath}${applicationsPath}">${visit.t.applications.back}</a></p>
        ${dangerLinks(visit, application)}`,
    }
  },
})

const formerSecret = (visit: MemberVisit, ends: number): Markup => html`
  <p class="notice">${visit.t.applications.oldSecretExpires} ${moment(visit, ends)}</p>`

function refused({ t }: MemberVisit, { redirect_uris }: OwnedApplication): Markup | '' {
  const uris = refusedUris(redirect_uris)
  if (uris.length === 0) return ''
  return html`<p class="notice">${t.applications.refusedUris} ${uris.map((uri) => html`<code>${uri}</code> `)}</p>`
}

function unencrypted({ t }: MemberVisit, { redirect_uris }: OwnedApplication): Markup | '' {
  const uris = unencryptedUris(redirect_uris)
  if (uris.length === 0) return ''
  return html`<p class="notice">${t.applications.unencryptedUris} ${uris.map((uri) => html`<code>${uri}</code> `)}</p>`
}

function factList(visit: MemberVisit, application: OwnedApplication): Markup {
  const { t } = visit
  const uris = application.redirect_uris.split('\n')
  return html`<dl>
    <dt>${t.applications.clientId}</dt>
    <dd><code id="client_id">${application.uid}</code></dd>
    <dt>${t.applications.redirectUris}</dt>
    ${uris.map((uri) => html`<dd><code>${uri}</code></dd>`)}
    <dt>${t.common.scope}</dt>
    <dd><code>${application.scope}</code></dd>
    <dt>${t.applications.keepsSecret}</dt>
    <dd>${yesOrNo(t, application.is_confidential)}</dd>
    <dt>${t.applications.deviceGrant}</dt>
    <dd>${yesOrNo(t, application.has_device_grant)}</dd>
    <dt>${t.applications.issuer}</dt>
    <dd>${yesOrNo(t, application.sends_iss)}</dd>
    <dt>${t.applications.registered}</dt>
    <dd>${moment(visit, application.created_at)}</dd>
    <dt>${t.applications.users}</dt>
    <dd>${application.users_count ?? 0}</dd>
    <dt>${t.common.lastUsed}</dt>
    <dd>${moment(visit, application.last_used_at, t.common.never)}</dd>
  </dl>`
}

const yesOrNo = (t: Messages, value: number) => (value === 1 ? t.common.yes : t.common.no)

function changeLinks({ t, basePath }: MemberVisit, { id, is_confidential }: OwnedApplication): Markup {
  const link = (below: string, text: string) =>
    html`<li><a href="${basePath}${pathOfApplication(id, below)}">${text}</a></li>`
  return html`
    <ul>
      ${link('edit', t.common.edit)}
      ${is_confidential === 1 ? link('rotate', t.applications.replaceSecret) : ''}
    </ul>`
}

function dangerLinks({ t, basePath }: MemberVisit, { id }: OwnedApplication): Markup {
  const link = (below: string, text: string) =>
    html`<li><a class="danger" href="${basePath}${pathOfApplication(id, below)}">${text}</a></li>`
  return dangerZone(
    t.common.endAccess,
    html`<ul>
      ${link('revoke_tokens', t.applications.revokeTokens)}
      ${link('delete', t.applications.delete)}
    </ul>`,
  )
}

/** A sample authorization URL with the first redirect URI; public clients need PKCE (RFC 7636). */
function authorizeLink({ deps, t }: MemberVisit, application: OwnedApplication): Markup {
  const [redirect_uri = ''] = application.redirect_uris.split('\n')
  const { uid: client_id, scope } = application
  const query = new URLSearchParams({ client_id, response_type: 'code', redirect_uri, scope })
  const verifier = application.is_confidential === 1 ? undefined : createVerifier(deps.random)
  if (verifier !== undefined) {
    query.set('code_challenge', challengeOf(verifier))
    query.set('code_challenge_method', 'S256')
  }
  const link = `${deps.config.baseUrl}/oauth/authorize?${query}`
  const withVerifier = html`
    <p>${t.applications.codeVerifier} <code id="code_verifier">${verifier ?? ''}</code></p>`
  return html`
    <p>${t.applications.sendsPeopleTo}</p>
    <p><a id="authorize_link" href="${link}">${link}</a></p>
    ${verifier === undefined ? '' : withVerifier}`
}
