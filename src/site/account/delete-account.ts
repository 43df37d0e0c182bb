import { beginDeletion, finishDeletionOrLog } from '../../accounts/account/deletion'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { setCookie } from '../../web/cookies'
import { choice } from '../../web/fields'
import { defineForm } from '../../web/form'
import { anyone, definePage, member, seeOther } from '../../web/page'
import { AnswerInstead } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import { currentPasswordField } from '../sign-in/account-fields'
import { codeField, proveFactor } from '../sign-in/code-field'
import { provePassword } from '../sign-in/confirm'

const path = '/settings/delete_account'

const what = choice({
  label: (t) => t.deleteAccount.what,
  options: {
    everything: (t) => t.deleteAccount.everything,
    all_but_comments: (t) => t.deleteAccount.keepComments,
  },
})

const button: Message = (t) => t.deleteAccount.button

// The forms ask for the password, however recent the sign-in, so they do not need /confirm first.
const byPassword = defineForm({
  path,
  access: (visit) => memberWithFactor(visit, false),
  fields: { what, password: currentPasswordField },
  button,
  isDestructive: true,
  show,
  submit: async (visit, { what, password }) => {
    await provePassword(visit, password, 'password')
    return await leave(visit, what === 'all_but_comments')
  },
})

const byPasswordAndCode = defineForm({
  path: `${path}/code`,
  access: (visit) => memberWithFactor(visit, true),
  fields: { what, password: currentPasswordField, code: codeField },
  button,
  isDestructive: true,
  show,
  submit: async (visit, { what, password, code }) => {
    await provePassword(visit, password, 'password')
    await proveFactor(visit, code)
    return await leave(visit, what === 'all_but_comments')
  },
})

export const deleteAccount = [...byPassword, ...byPasswordAndCode]

/** Redirects to the other form unless the user's second factor fits this one. */
function memberWithFactor(visit: Visit, hasFactor: boolean): MemberVisit {
  const known = member(visit)
  if (known.session.hasFactor === hasFactor) return known
  throw new AnswerInstead(seeOther(visit, hasFactor ? path : `${path}/code`))
}

function show({ t, basePath }: MemberVisit, form: Markup) {
  const title = t.deleteAccount.title
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <p>${t.deleteAccount.explained}</p>
      <p>${t.deleteAccount.keptComments}</p>
      <p><a href="${basePath}/settings/export">${t.deleteAccount.downloadFirst}</a></p>
      ${form}`,
  }
}

async function leave(visit: MemberVisit, keepsComments: boolean): Promise<Response> {
  const { deps, session, context, cookies } = visit
  const { userId } = session
  await beginDeletion(deps, { userId, keepsComments })
  deps.log('account_deletion', { id: context.id, user: userId, keeps_comments: keepsComments })
  // Not awaited: it may take a while, and the account is already invisible.
  void finishDeletionOrLog(deps, userId)
  for (const name of ['sid', 'device'] as const) cookies.push(setCookie(name, '', 0, deps.config.baseUrl))
  return seeOther(visit, '/account_deleted')
}

export const accountDeleted = definePage({
  path: '/account_deleted',
  access: anyone,
  show: ({ t }) => titled(t.deleteAccount.doneTitle, html`<p>${t.deleteAccount.done}</p>`),
})
