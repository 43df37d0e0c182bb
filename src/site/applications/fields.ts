import { outOfBand } from '../../oauth/authorize/redirect-uri'
import { registeredName } from '../../oauth/clients/registered-name'
import { checkedUris, type Registration } from '../../oauth/clients/registration'
import { type FieldProblem, problemsOf } from '../../values/field-problem'
import { checkbox, linesField, textField, type ValuesOf } from '../../web/fields'
import type { Visit } from '../../web/visit'
import { scopeField } from './scope-options'

/** What the owner of an application says of it. */
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

/** What is wrong with the redirect URIs: that depends on whether the instance has TLS (D57). */
export const redirectUriProblems = (
  { deps }: Visit,
  { redirect_uri: text }: { readonly redirect_uri?: string },
): readonly FieldProblem[] =>
  text === undefined ? [] : problemsOf(() => checkedUris(text, deps.config.baseUrl))

export const deviceField = checkbox({
  label: (t) => t.applications.onDevices,
  hint: (t) => t.applications.onDevicesHint,
})

/** What the form says, as it is registered. */
export const registrationOf = (
  values: ValuesOf<typeof applicationFields & { device_grant: typeof deviceField }>,
): Registration => ({
  name: values.name,
  redirectUris: values.redirect_uri,
  scope: values.scopes,
  hasDeviceGrant: values.device_grant,
})
