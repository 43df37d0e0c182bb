import { beginDeletion, finishDeletionOrLog } from '../../accounts/account/deletion'
import { html } from '../../pages/html'
import { anyone, recent } from '../../web/access'
import { setCookie } from '../../web/cookies'
import { choice, passwordField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { definePage, seeOther } from '../../web/page'
import { provePassword } from '../sign-in/prove-password'

/** Asks for the password again, however recent the sign-in. */
export const deleteAccount = defineForm({
  path: '/settings/delete_account',
  access: recent,
  fields: {
    what: choice({
      label: (t) => t.deleteAccount.what,
      options: {
        everything: (t) => t.deleteAccount.everything,
        all_but_comments: (t) => t.deleteAccount.keepComments,
      },
    }),
    password: passwordField({
      label: (t) => t.account.yourPassword,
      autocomplete: 'current-password',
    }),
  },
  button: (t) => t.deleteAccount.button,
  isDestructive: true,
  show: ({ pageContext: { t, basePath } }, form) => {
    const title = t.deleteAccount.title
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${t.deleteAccount.explained}</p>
        <p>${t.deleteAccount.keptComments}</p>
        <p><a href="${basePath}/settings/data">${t.deleteAccount.downloadFirst}</a></p>
        ${form}`,
    }
  },
  submit: async (visit, { what, password }) => {
    const { deps, session, context, cookies } = visit
    const { userId } = session
    await provePassword(visit, password, 'password')
    const keepsComments = what === 'all_but_comments'
    await beginDeletion(deps, { userId, keepsComments })
    deps.log('account_deletion', { id: context.id, user: userId, keeps_comments: keepsComments })
    // Not awaited: it may take long, and the account is already invisible.
    void finishDeletionOrLog(deps, userId)
    for (const name of ['sid', 'device'] as const) cookies.push(setCookie(name, '', 0, deps.config.baseUrl))
    return seeOther(visit, '/account_deleted')
  },
})

export const accountDeleted = definePage({
  path: '/account_deleted',
  access: anyone,
  show: ({ pageContext: { t } }) => {
    const title = t.deleteAccount.doneTitle
    return { title, main: html`<h1>${title}</h1><p>${t.deleteAccount.done}</p>` }
  },
})
