import { beginDeletion, finishDeletionOrLog } from '../../accounts/account/deletion'
import { usernameKey } from '../../accounts/account/user'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { setCookie } from '../../web/cookies'
import { choice, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { anyone, confirmedWithin, definePage, member, seeOther, usesPassword } from '../../web/page'
import { AnswerInstead, FormProblem } from '../../web/problem'
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
  access: (visit) => memberAt(visit, path),
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
  access: (visit) => memberAt(visit, `${path}/code`),
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

/** Without a password: confirmed within five minutes, and the username typed. */
const byName = defineForm({
  path: `${path}/name`,
  access: (visit) => confirmedWithin(memberAt(visit, `${path}/name`), 5 * 60_000),
  fields: { what, username: textField({ label: (t) => t.deleteAccount.typeUsername, limit: 20 }) },
  button,
  isDestructive: true,
  show,
  submit: async (visit, { what, username }) => {
    if (usernameKey(username) !== usernameKey(visit.session.username))
      throw new FormProblem('username', (t) => t.deleteAccount.wrongUsername)
    return await leave(visit, what === 'all_but_comments')
  },
})

export const deleteAccount = [...byPassword, ...byPasswordAndCode, ...byName]

/** Redirects to the form that asks for what this account has. */
function memberAt(visit: Visit, form: string): MemberVisit {
  const known = member(visit)
  const withPassword = known.session.hasFactor ? `${path}/code` : path
  const own = usesPassword(known) ? withPassword : `${path}/name`
  if (own === form) return known
  throw new AnswerInstead(seeOther(visit, own))
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
