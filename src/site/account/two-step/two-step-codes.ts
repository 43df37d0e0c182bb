import { tellOwner } from '../../../accounts/account/tell-owner'
import { factorStanding, renewRecoveryCodes } from '../../../accounts/sign-in/second-factor'
import { recoveryCodesLetter } from '../../../mail/letters'
import { html } from '../../../pages/html'
import { type PageContent, titled } from '../../../pages/layout'
import { passwordField, textField } from '../../../web/fields'
import { defineForm } from '../../../web/form'
import { recent, seeOther } from '../../../web/page'
import { AnswerInstead, FormProblem } from '../../../web/problem'
import type { MemberVisit, Visit } from '../../../web/visit'
import { shownOnce } from '../../shown-once'
import { proveFactor } from '../../sign-in/code-field'
import { provePassword } from '../../sign-in/confirm'

/** Asks for the password or a code again, however recent the sign-in: each recovery code is a second factor. */
export const renewCodes = defineForm({
  path: '/settings/two_step/codes',
  access: ifFactorIsOn,
  fields: {
    password: passwordField({
      label: (t) => t.account.yourPassword,
      autocomplete: 'current-password',
      optional: true,
    }),
    code: textField({
      label: (t) => t.recoveryCodes.orCode,
      hint: (t) => t.twoStep.codeHint,
      limit: 60,
      optional: true,
      autocomplete: 'one-time-code',
    }),
  },
  button: (t) => t.recoveryCodes.renew,
  once: true,
  show: ({ t }, form) =>
    titled(t.recoveryCodes.renewTitle, html`<p>${t.recoveryCodes.renewExplained}</p>${form}`),
  submit: async (visit, proof) => {
    const { deps, session, context } = visit
    const { userId } = session
    await proveIdentity(visit, proof)
    const codes = await deps.write((tx) => renewRecoveryCodes(tx, userId, deps.random))
    deps.log('recovery_codes_renewed', { id: context.id, user: userId })
    tellOwner(deps, userId, { letter: recoveryCodesLetter, language: visit.language })
    return recoveryCodesPage(visit, codes, '/settings/two_step')
  },
})

async function ifFactorIsOn(visit: Visit): Promise<MemberVisit> {
  const known = recent(visit)
  if ((await factorStanding(visit.deps.read, known.session.userId)).on) return known
  throw new AnswerInstead(seeOther(visit, '/settings/two_step'))
}

/** Checks the code if there is one, otherwise the password. Throws a `FormProblem`. */
async function proveIdentity(visit: MemberVisit, { password, code }: { password: string; code: string }) {
  if (code !== '') return await proveFactor(visit, code)
  if (password !== '') return await provePassword(visit, password, 'password')
  throw new FormProblem('', (t) => t.recoveryCodes.proofMissing)
}

/** `next` is the path that "done" links to. */
export const recoveryCodesPage = (
  { t, basePath }: MemberVisit,
  codes: readonly string[],
  next: string,
): PageContent =>
  shownOnce(
    t.recoveryCodes.title,
    html`
      <p>${t.recoveryCodes.keep}</p>
      <ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>`,
    html`<a href="${basePath}${next}">${t.common.done}</a> ·
      <a href="${basePath}/settings/sessions">${t.sessions.title}</a>`,
  )
