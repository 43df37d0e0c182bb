import type { Message } from '../messages/languages'
import { consentHead, decisionButtons, scopeSentences, signedInAs } from '../oauth/authorize/consent-parts'
import { type Decision, readDecision } from '../oauth/authorize/decide'
import { devicePath } from '../oauth/device/authorization'
import { type DeviceLookup, decideDevice, lookUpDevice, type PendingDevice } from '../oauth/device/consent'
import { shownUserCode } from '../oauth/device/request'
import { html } from '../pages/html'
import { icon } from '../pages/icons'
import { type PageContent, titled } from '../pages/layout'
import { textField } from '../web/fields'
import { defineAction, defineForm, formText } from '../web/form'
import { csrfInput } from '../web/form-markup'
import { member, type PageRoute } from '../web/page'
import { FormProblem, PageProblem } from '../web/problem'
import { type MemberVisit, queryText } from '../web/visit'

export const deviceRoutes: readonly PageRoute[] = [
  // The verification page of the device grant (RFC 8628 §3.3).
  ...defineForm({
    path: devicePath,
    access: member,
    fields: {
      user_code: textField({
        label: (t) => t.device.code,
        hint: (t) => t.device.codeHint,
        limit: 50,
      }),
    },
    button: (t) => t.common.continue,
    initial: (visit) => ({ user_code: queryText(visit, 'user_code') }),
    show: ({ t }, form) => ({ ...titled(t.device.title, form), isBare: true }),
    submit: async (visit, { user_code }) => {
      const sought = await lookUpDevice(visit.deps, codeAttempt(visit, user_code))
      logCodeAttempt(visit, sought)
      if (sought.outcome === 'found') return consentPage(visit, sought.device)
      if (sought.outcome === 'unknown') throw new FormProblem('user_code', unknownCode)
      const seconds = Math.ceil(sought.wait / 1000)
      throw new FormProblem('', tooOften(seconds), 429, { 'Retry-After': String(seconds) })
    },
  }),
  defineAction({
    path: `${devicePath}/decide`,
    access: member,
    run: async (visit, sent) => {
      const decision = readDecision(formText(sent, 'decision'))
      const typed = codeAttempt(visit, formText(sent, 'user_code'))
      const sought = await decideDevice(visit.deps, typed, decision)
      logCodeAttempt(visit, sought, decision)
      if (sought.outcome === 'found') return decidedPage(visit, decision)
      if (sought.outcome === 'unknown') throw refused(400, unknownCode)
      const seconds = Math.ceil(sought.wait / 1000)
      throw refused(429, tooOften(seconds), { 'Retry-After': String(seconds) })
    },
  }),
]

const codeAttempt = ({ session, context }: MemberVisit, text: string) => ({
  text,
  userId: session.userId,
  address: context.peer,
})

/** Omits the code itself, which a reader of the log could use. */
function logCodeAttempt(
  { deps, context, session }: MemberVisit,
  sought: DeviceLookup,
  decision?: Decision,
): void {
  const client = sought.outcome === 'found' ? sought.device.client : undefined
  const facts = { outcome: sought.outcome, decision, user: session.userId, client }
  deps.log('device_code', { id: context.id, ...facts })
}

/** Names the application and the device: a phisher may have sent the user here with another code (RFC 8628 §5.4). */
function consentPage(visit: MemberVisit, device: PendingDevice): PageContent {
  const { session, t, basePath } = visit
  const code = shownUserCode(device.userCode)
  return {
    title: t.consent.title,
    isBare: true,
    main: html`
      ${consentHead(visit, device.name)}
      <p class="meta">${t.common.registeredBy}${t.common.colon}${device.owner}</p>
      <p>${t.device.question}${t.common.gap}${t.device.code}${t.common.colon}<strong><code id="user_code">${code}</code></strong></p>
      <p class="note">${icon('warning')}<span class="text">${t.device.onlyIfYours}</span></p>
      ${scopeSentences(visit, device.scope)}
      <form method="post" action="${basePath}${devicePath}/decide" class="pair">
        ${csrfInput(visit)}
        <input type="hidden" name="user_code" value="${code}" />
        ${decisionButtons(visit)}
      </form>
      ${signedInAs(visit, session)}`,
  }
}

function decidedPage({ t }: MemberVisit, decision: Decision): PageContent {
  const isAllowed = decision === 'approve'
  const title = isAllowed ? t.device.allowed : t.device.denied
  const rest = isAllowed ? t.device.allowedNext : t.device.deniedNext
  return { ...titled(title, html`<p>${rest}</p>`), isBare: true }
}

const refused = (status: number, why: Message, headers = {}) =>
  new PageProblem(status, (t) => [t.consent.overTitle, why(t)], headers)

const unknownCode: Message = (t) => t.device.unknownCode

const tooOften =
  (seconds: number): Message =>
  (t) =>
    t.device.tooOften(seconds)
