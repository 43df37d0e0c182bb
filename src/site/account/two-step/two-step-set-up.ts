import { renderSVG } from 'uqr'
import { tellOwner } from '../../../accounts/account/tell-owner'
import { confirmEnrolment, secretToConfirm } from '../../../accounts/sign-in/second-factor'
import { totpAddress, totpKey } from '../../../lib/totp'
import { twoStepOnLetter } from '../../../mail/letters'
import { html, type Markup } from '../../../pages/html'
import { titled } from '../../../pages/layout'
import { hiddenField, textField } from '../../../web/fields'
import { defineForm } from '../../../web/form'
import { recent, seeOther } from '../../../web/page'
import { AnswerInstead, FormProblem } from '../../../web/problem'
import { safeReturn } from '../../../web/return-to'
import { type MemberVisit, queryText } from '../../../web/visit'
import { wrongCode } from '../../sign-in/code-field'
import { recoveryCodesPage } from './two-step-codes'

/** Shows the secret; the first code proves that the authenticator has it. */
export const setUpTwoStep = defineForm({
  path: '/settings/two_step/set_up',
  access: recent,
  fields: {
    code: textField({
      label: (t) => t.twoStep.codeInApp,
      limit: 20,
      autocomplete: 'one-time-code',
    }),
    return_to: hiddenField(),
  },
  button: (t) => t.twoStep.turnOn,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show: async (visit, form) => {
    const secret = await secretToConfirm(visit.deps.read, visit.session.userId)
    // Already turned on, or not started yet.
    if (secret === undefined) throw new AnswerInstead(seeOther(visit, '/settings/two_step'))
    return titled(visit.t.twoStep.setUpTitle, html`${secretForAuthenticator(visit, secret)}${form}`)
  },
  submit: async (visit, { code, return_to }) => {
    const { deps, session, context } = visit
    const codes = await confirmEnrolment(deps, session.userId, code)
    const outcome = codes === undefined ? 'wrong' : 'ok'
    deps.log('two_step_on', { id: context.id, outcome, user: session.userId })
    if (codes === undefined) throw new FormProblem('code', wrongCode)
    tellOwner(deps, session.userId, { letter: twoStepOnLetter, language: visit.language })
    const next = safeReturn(return_to, deps.config.baseUrl)
    return codes.length === 0 ? seeOther(visit, next) : recoveryCodesPage(visit, codes, next)
  },
})

function secretForAuthenticator({ t, deps, session }: MemberVisit, secret: Uint8Array): Markup {
  // Neither part of the label may contain a colon, as an IPv6 host does.
  const host = new URL(deps.config.baseUrl).hostname.replaceAll(':', '.')
  const address = totpAddress('kiroku', `${session.username}@${host}`, secret)
  const drawing = Buffer.from(renderSVG(address, { border: 4 })).toString('base64')
  return html`
    <p>${t.twoStep.scan}</p>
    <p><img src="data:image/svg+xml;base64,${drawing}" width="264" height="264" alt="${t.twoStep.qrCode}" /></p>
    <p>${t.twoStep.key} <code id="totp_key">${totpKey(secret)}</code></p>`
}
