import { outOfBand } from '../../oauth/authorize/redirect-uri'
import { registeredName } from '../../oauth/clients/registered-name'
import { type Registration, redirectUris } from '../../oauth/clients/registration'
import { checkbox, linesField, textField, type ValuesOf } from '../../web/fields'
import type { Visit } from '../../web/visit'
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
