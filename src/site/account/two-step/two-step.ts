import { tellOwner } from '../../../accounts/account/tell-owner'
import { listPasskeys } from '../../../accounts/passkeys/passkeys'
import {
  beginEnrolment,
  type FactorStanding,
  factorStanding,
  removeMethod,
  removeSecondFactor,
} from '../../../accounts/sign-in/second-factor'
import { endSessions } from '../../../accounts/sign-in/session'
import { twoStepOffLetter } from '../../../mail/letters'
import type { Message } from '../../../messages/languages'
import { html, type Markup } from '../../../pages/html'
import { titled } from '../../../pages/layout'
import { moment } from '../../../pages/moment'
import { checkbox } from '../../../web/fields'
import { defineAction, defineForm, formText } from '../../../web/form'
import { csrfInput } from '../../../web/form-markup'
import { definePage, mustHaveFactor, type PageRoute, recent, seeOther } from '../../../web/page'
import { FormProblem } from '../../../web/problem'
import { type MemberVisit, queryText } from '../../../web/visit'
import { confirmation, dangerZone } from '../../confirmation'
import { codeField, proveFactor } from '../../sign-in/code-field'
import {
  acceptedKeys,
  creationOptions,
  partyAt,
  passkeyForm,
  passkeyScript,
} from '../../sign-in/passkey-form'
import { asSecondStep } from '../passkeys'

export const twoStep: readonly PageRoute[] = [
  definePage({
    path: '/settings/two_step',
    access: recent,
    show: async (visit) => {
      const { deps, session } = visit
      const standing = await factorStanding(deps.read, session.userId)
      const content = standing.on ? await whenOn(visit, standing) : await whenOff(visit)
      const party = partyAt(visit)
      const own = await listPasskeys(deps.read, session.userId)
      const told = party === undefined ? '' : await acceptedKeys(visit, party, own)
      const main = html`${content}${told}`
      return { ...titled(visit.t.twoStep.title, main), head: passkeyScript(visit) }
    },
  }),
  // For those who have passkeys already.
  defineAction({
    path: '/settings/two_step/passkeys',
    access: recent,
    run: async (visit) => {
      const own = await keysHere(visit)
      const { hasKeys } = await factorStanding(visit.deps.read, visit.session.userId)
      return own.length === 0 || hasKeys ? seeOther(visit, '/settings/two_step') : await asSecondStep(visit)
    },
  }),
  ...defineForm({
    path: '/settings/two_step/passkeys_off',
    access: recent,
    fields: {},
    button: (t) => t.twoStep.keysOff,
    isDestructive: true,
    show: (visit, form) =>
      confirmation(visit, form, {
        title: (t) => t.twoStep.keysOff,
        text: (t) => t.twoStep.keysOffExplained,
        back: '/settings/two_step',
      }),
    submit: async (visit) => {
      const { deps, session, context, language } = visit
      const { userId } = session
      const { appSince } = await factorStanding(deps.read, userId)
      if (appSince === null && mustHaveFactor(visit)) throw required()
      await deps.write((tx) => removeMethod(tx, userId, 'passkeys'))
      deps.log('two_step_off', { id: context.id, user: userId, way: 'passkey' })
      if (appSince === null) tellOwner(deps, userId, { letter: twoStepOffLetter, language })
      return seeOther(visit, '/settings/two_step')
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

async function whenOff(visit: MemberVisit): Promise<Markup> {
  const { t } = visit
  return html`
    ${mustHaveFactor(visit) ? html`<p class="notice">${t.twoStep.requiredFirst}</p>` : ''}
    <p>${t.twoStep.isOff}</p>
    ${appPart(visit)}
    ${await keysPart(visit)}`
}

function appPart(visit: MemberVisit): Markup {
  const { t, basePath } = visit
  const target = queryText(visit, 'return_to') || '/settings/two_step'
  return html`
    <h2>${t.twoStep.app}</h2>
    <p class="meta">${t.twoStep.appExplained}</p>
    <form method="post" action="${basePath}/settings/two_step/start">
      ${csrfInput(visit)}<input type="hidden" name="return_to" value="${target}" />
      <button>${t.twoStep.setUp}</button>
    </form>`
}

/** Nothing where browsers have no passkeys. */
async function keysPart(visit: MemberVisit): Promise<Markup | ''> {
  const { t, basePath } = visit
  const party = partyAt(visit)
  if (party === undefined) return ''
  const own = await keysHere(visit)
  const act = 'two-step-passkey'
  const button: Message = (messages) => messages.twoStep.useKeys
  const use = html`<form method="post" action="${basePath}/settings/two_step/passkeys" data-act="${act}">
      ${csrfInput(visit)}<button>${button(t)}</button>
    </form>`
  const { options, handle } = await creationOptions(visit, party, [])
  const fields = { handle, second_step: '1' }
  const first = passkeyForm(visit, { path: '/settings/passkeys', act, options, button, fields })
  return html`
    <h2>${t.twoStep.keys}</h2>
    <p class="meta">${t.twoStep.keysExplained}</p>
    ${own.length === 0 ? first : use}`
}

async function keysHere(visit: MemberVisit) {
  const own = await listPasskeys(visit.deps.read, visit.session.userId)
  return own.filter(({ rp_id }) => rp_id === partyAt(visit)?.id)
}

async function whenOn(visit: MemberVisit, { appSince, hasKeys, codesLeft }: FactorStanding): Promise<Markup> {
  const { t, basePath } = visit
  const keysOn = html`<p>${t.twoStep.keysOn}
      <a href="${basePath}/settings/passkeys">${t.passkeys.title}</a> ·
      <a href="${basePath}/settings/two_step/passkeys_off">${t.twoStep.keysOff}</a></p>`
  return html`
    <dl>
      ${appSince === null ? '' : html`<dt>${t.twoStep.onSince}</dt><dd>${moment(visit, appSince)}</dd>`}
      <dt>${t.recoveryCodes.left}</dt><dd id="codes_left">${codesLeft}</dd>
    </dl>
    ${hasKeys ? keysOn : await keysPart(visit)}
    ${appSince === null ? appPart(visit) : ''}
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
