import { outOfBand } from '../../oauth/authorize/redirect-uri'
import {
  type RegisteredApplication,
  type Registration,
  redirectUris,
  registerApplication,
  registeredName,
} from '../../oauth/clients/registration'
import { html } from '../../pages/html'
import { type PageContent, titled } from '../../pages/layout'
import { checkbox, linesField, textField, type ValuesOf } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member, type PageRoute } from '../../web/page'
import type { MemberVisit, Visit } from '../../web/visit'
import { shownOnce } from '../shown-once'
import { applicationsPath, logApplication, pathOfApplication } from './applications'
import { scopeField } from './scope-options'

export const applicationFields = {
  name: textField({
    label: (t) => t.common.name,
    hint: (t) => t.applications.nameHint,
    limit: 500,
    value: registeredName,
  }),
  redirect_uri: linesField({
    label: (t) => t.applications.redirectUris,
    hint: (t) => t.applications.redirectUrisHint(outOfBand),
    limit: 50_000,
  }),
  scopes: scopeField((t) => t.applications.widestScope),
}

/** Whether plain http is accepted depends on the base URL (D57). */
export const acceptedUris = (
  { deps }: Visit,
  { redirect_uri: text }: { readonly redirect_uri?: string },
) => ({
  redirect_uri: text === undefined ? undefined : redirectUris(deps.config.baseUrl).read(text),
})

export const deviceField = checkbox({
  label: (t) => t.applications.onDevices,
  hint: (t) => t.applications.onDevicesHint,
})

export const issuerField = checkbox({
  label: (t) => t.applications.sendIssuer,
  hint: (t) => t.applications.sendIssuerHint,
})

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

export const registrationOf = (
  values: ValuesOf<
    typeof applicationFields & { device_grant: typeof deviceField; send_iss: typeof issuerField }
  >,
): Registration => ({
  name: values.name,
  redirectUris: values.redirect_uri,
  scope: values.scopes,
  hasDeviceGrant: values.device_grant,
  sendsIss: values.send_iss,
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
  const clientSecret =
    secret === null
      ? ''
      : html`
    <dt>${t.applications.clientSecret}</dt>
    <dd><code id="client_secret">${secret}</code></dd>`
  const credentials = html`
    ${secret === null ? '' : html`<p>${t.applications.copySecretNow}</p>`}
    <dl>
      <dt>${t.applications.clientId}</dt>
      <dd><code id="client_id">${uid}</code></dd>
      ${clientSecret}
    </dl>`
  const way = html`<a href="${basePath}${pathOfApplication(id)}">${t.applications.toApplication}</a>`
  return shownOnce(t.applications.credentials, credentials, way)
}
