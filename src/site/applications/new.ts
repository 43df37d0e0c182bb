import { type RegisteredApplication, registerApplication } from '../../oauth/clients/registration'
import { html } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { titled } from '../../pages/titled'
import { checkbox } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member, type PageRoute } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { shownOnce } from '../shown-once'
import { acceptedUris, applicationFields, deviceField, issuerField, registrationOf } from './fields'
import { applicationsPath, logApplication, pathOfApplication } from './own'

export const newApplication = defineForm({
  path: `${applicationsPath}/new`,
  access: member,
  fields: {
    ...applicationFields,
    confidential: checkbox({
      label: (t) => t.applications.canKeepSecret,
      hint: (t) => t.applications.canKeepSecretHint,
    }),
    device_grant: deviceField,
    send_iss: issuerField,
  },
  button: (t) => t.applications.registerButton,
  checkTogether: acceptedUris,
  once: true,
  initial: () => ({ confidential: '1' }),
  show: ({ t }, form) => titled(t.applications.register, form),
  submit: async (visit, values) => {
    const { deps, session } = visit
    const { baseUrl } = deps.config
    const registration = {
      ...registrationOf(values),
      isConfidential: values.confidential,
      ownerId: session.userId,
    }
    const registered = await registerApplication({ ...deps, baseUrl }, registration)
    logApplication(visit, 'application_registered', registered.uid)
    return secretPage(visit, registered)
  },
})

/** The same form at the path that programs post to. */
export const createApplication: readonly PageRoute[] = newApplication
  .filter(({ method }) => method === 'POST')
  .map((route) => ({ ...route, path: applicationsPath }))

/** The only page that shows a secret (AP-03). */
export function secretPage(
  { t, basePath }: MemberVisit,
  { id, uid, secret }: RegisteredApplication,
): PageContent {
  const clientSecret = html`
    <dt>${t.applications.clientSecret}</dt>
    <dd><code id="client_secret">${secret ?? ''}</code></dd>`
  const credentials = html`
    ${secret === null ? '' : html`<p>${t.applications.copySecretNow}</p>`}
    <dl>
      <dt>${t.applications.clientId}</dt>
      <dd><code id="client_id">${uid}</code></dd>
      ${secret === null ? '' : clientSecret}
    </dl>`
  const way = html`<a href="${basePath}${pathOfApplication(id)}">${t.applications.toApplication}</a>`
  return shownOnce(t.applications.credentials, credentials, way)
}
