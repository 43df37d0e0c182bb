import { rotateSecret } from '../../oauth/clients/client-secret'
import { endAccess } from '../../oauth/clients/end-access'
import { changeApplication, deleteApplication } from '../../oauth/clients/registration'
import { html } from '../../pages/html'
import { choice } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member, type PageRoute, recent, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { confirmation } from '../confirmation'
import { applicationsPath, logApplication, ownApplication, pathOfApplication } from './applications'
import { acceptedUris, applicationFields, deviceField, issuerField, registrationOf, secretPage } from './new'

export const applicationChanges: readonly PageRoute[] = [
  ...defineForm({
    path: `${applicationsPath}/:id/edit`,
    access: member,
    fields: { ...applicationFields, device_grant: deviceField, send_iss: issuerField },
    button: (t) => t.common.save,
    checkTogether: acceptedUris,
    initial: async (visit) => {
      const { name, redirect_uris, scope, has_device_grant, sends_iss } = await ownApplication(visit)
      return {
        name,
        redirect_uri: redirect_uris,
        scopes: scope,
        device_grant: has_device_grant === 1 ? '1' : '',
        send_iss: sends_iss === 1 ? '1' : '',
      }
    },
    show: async (visit, form) => {
      const { name } = await ownApplication(visit)
      const { t } = visit
      return {
        title: t.applications.editTitle(name),
        main: html`
        <h1>${t.applications.editTitle(name)}</h1>
        ${form}
        <p>${t.applications.tokensStay}</p>`,
      }
    },
    submit: async (visit, values) => {
      const { id, uid } = await ownApplication(visit)
      const { deps } = visit
      await changeApplication({ ...deps, baseUrl: deps.config.baseUrl }, id, registrationOf(values))
      logApplication(visit, 'application_changed', uid)
      return seeOther(visit, pathOfApplication(id))
    },
  }),
  ...defineForm({
    path: `${applicationsPath}/:id/rotate`,
    access: recent,
    fields: {
      overlap: choice({
        label: (t) => t.applications.currentSecret,
        options: {
          '0': (t) => t.applications.endsNow,
          '1': (t) => t.applications.endsIn(1),
          '2': (t) => t.applications.endsIn(2),
          '3': (t) => t.applications.endsIn(3),
          '4': (t) => t.applications.endsIn(4),
          '5': (t) => t.applications.endsIn(5),
          '6': (t) => t.applications.endsIn(6),
          '7': (t) => t.applications.endsIn(7),
        },
      }),
    },
    button: (t) => t.applications.createSecret,
    once: true,
    show: async (visit, form) => {
      const { name } = await confidential(visit)
      const { t } = visit
      const title = t.applications.replaceSecretTitle(name)
      return {
        title,
        main: html`
        <h1>${title}</h1>
        <p>${t.applications.replaceSecretExplained}</p>
        ${form}
        ${backLink(visit)}`,
      }
    },
    submit: async (visit, { overlap }) => {
      const { id, uid } = await confidential(visit)
      const secret = await rotateSecret(visit.deps, id, Number(overlap) * 86_400_000)
      if (secret === undefined) throw pageNotFound()
      logApplication(visit, 'client_secret_rotated', uid)
      return secretPage(visit, { id, uid, secret })
    },
  }),
  // Everybody has to consent again (AP-04).
  ...defineForm({
    path: `${applicationsPath}/:id/revoke_tokens`,
    access: member,
    fields: {},
    button: (t) => t.applications.revokeTokens,
    isDestructive: true,
    show: async (visit, form) => {
      const { id, name, users_count } = await ownApplication(visit)
      const people = users_count ?? 0
      return confirmation(visit, form, {
        title: (t) => t.applications.revokeTokensTitle(name),
        text: (t) => t.applications.revokeTokensExplained(people),
        back: pathOfApplication(id),
      })
    },
    submit: async (visit) => {
      const { id, uid } = await ownApplication(visit)
      await visit.deps.write((tx) => endAccess(tx, { applicationId: id }))
      logApplication(visit, 'application_tokens_revoked', uid)
      return seeOther(visit, pathOfApplication(id))
    },
  }),
  ...defineForm({
    path: `${applicationsPath}/:id/delete`,
    access: member,
    fields: {},
    button: (t) => t.applications.deleteButton,
    isDestructive: true,
    show: async (visit, form) => {
      const { id, name, users_count } = await ownApplication(visit)
      const people = users_count ?? 0
      return confirmation(visit, form, {
        title: (t) => t.applications.deleteTitle(name),
        text: (t) => t.applications.deleteExplained(people),
        back: pathOfApplication(id),
      })
    },
    submit: async (visit) => {
      const { id, uid } = await ownApplication(visit)
      await deleteApplication(visit.deps, id)
      logApplication(visit, 'application_deleted', uid)
      return seeOther(visit, applicationsPath)
    },
  }),
]

/** Throws the 404 page for an application without a secret. */
async function confidential(visit: MemberVisit) {
  const application = await ownApplication(visit)
  if (application.is_confidential === 0) throw pageNotFound()
  return application
}

const backLink = ({ t, basePath, params: { id = '' } }: MemberVisit) => html`
  <p><a href="${basePath}${applicationsPath}/${id}">${t.common.cancel}</a></p>`
