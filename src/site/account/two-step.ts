import { tellOwner } from '../../accounts/account/tell-owner'
import {
  beginEnrolment,
  type FactorStanding,
  factorStanding,
  removeSecondFactor,
} from '../../accounts/sign-in/second-factor'
import { endSessions } from '../../accounts/sign-in/session'
import { twoStepOffLetter } from '../../mail/letters'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { checkbox } from '../../web/fields'
import { defineAction, defineForm, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, mustHaveFactor, type PageRoute, recent, seeOther } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { type MemberVisit, queryText } from '../../web/visit'
import { dangerZone } from '../confirmation'
import { codeField, proveFactor } from '../sign-in/code-field'

export const twoStep: readonly PageRoute[] = [
  definePage({
    path: '/settings/two_step',
    access: recent,
    show: async (visit) => {
      const { deps, session } = visit
      const standing = await factorStanding(deps.read, session.userId)
      return titled(visit.t.twoStep.title, standing.on ? whenOn(visit, standing) : whenOff(visit))
    },
  }),
  defineAction({
    path: '/settings/two_step/start',
    access: recent,
    run: async (visit, sent) => {
      await beginEnrolment(visit.deps, visit.session.userId)
      const target = encodeURIComponent(formText(sent, 'return_to'))
      return seeOther(visit, `/settings/two_step/set_up?return_to=${target}`)
    },
  }),
]

function whenOff(visit: MemberVisit): Markup {
  const { t, basePath } = visit
  const target = queryText(visit, 'return_to') || '/settings/two_step'
  return html`
    ${mustHaveFactor(visit) ? html`<p class="notice">${t.twoStep.requiredFirst}</p>` : ''}
    <p>${t.twoStep.isOff}</p>
    <form method="post" action="${basePath}/settings/two_step/start">
      ${csrfInput(visit)}<input type="hidden" name="return_to" value="${target}" />
      <button>${t.twoStep.setUp}</button>
    </form>`
}

function whenOn(visit: MemberVisit, { appSince, codesLeft }: FactorStanding): Markup {
  const { t, basePath } = visit
  return html`
    <dl>
      <dt>${t.twoStep.onSince}</dt><dd>${moment(visit, appSince)}</dd>
      <dt>${t.recoveryCodes.left}</dt><dd id="codes_left">${codesLeft}</dd>
    </dl>
    <p>${t.recoveryCodes.explained}</p>
    <p><a href="${basePath}/settings/two_step/codes">${t.recoveryCodes.renew}</a></p>
    ${dangerZone(
      t.twoStep.turnOff,
      html`<p><a class="danger" href="${basePath}/settings/two_step/off">${t.twoStep.turnOffTitle}</a></p>`,
    )}`
}

/** Asks for a code, so that an unattended browser is not enough. */
export const turnOffTwoStep = defineForm({
  path: '/settings/two_step/off',
  access: recent,
  fields: {
    code: codeField,
    end_sessions: checkbox({
      label: (t) => t.sessions.signOutOthers,
      hint: (t) => t.twoStep.signOutOthersHint,
    }),
  },
  button: (t) => t.twoStep.turnOff,
  show: ({ t }, form) => titled(t.twoStep.turnOffTitle, html`<p>${t.twoStep.passwordAlone}</p>${form}`),
  submit: async (visit, { code, end_sessions }) => {
    const { deps, session, context } = visit
    const { userId } = session
    if (mustHaveFactor(visit)) throw required()
    await proveFactor(visit, code)
    const ended = await deps.write(async (tx) => {
      await removeSecondFactor(tx, userId)
      return end_sessions ? await endSessions(tx, userId, { except: session.id }) : 0
    })
    deps.log('two_step_off', { id: context.id, user: userId, ended })
    tellOwner(deps, userId, { letter: twoStepOffLetter, language: visit.language })
    return seeOther(visit, '/settings/two_step')
  },
})

const required = () => new FormProblem('', (t) => t.twoStep.required, 403)
