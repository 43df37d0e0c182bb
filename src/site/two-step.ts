import { renewRecoveryCodes } from '../accounts/recovery-codes'
import { beginEnrolment, factorStanding, removeSecondFactor } from '../accounts/second-factor'
import { words } from '../lib/words'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { recent } from '../web/access'
import { defineAction, defineForm, textOf } from '../web/form'
import { csrfInput } from '../web/form-markup'
import { definePage, seeOther } from '../web/page'
import { FormProblem, Instead } from '../web/problem'
import { queryText } from '../web/query'
import { mustHaveFactor } from '../web/required-factor'
import type { MemberVisit, Visit } from '../web/visit'
import { codeField, proveFactor } from './code-field'
import { recoveryCodesPage } from './recovery-codes-page'

/** GET /settings/two_step: whether two-step verification is on, and what can be done about it. */
export const twoStep = definePage({
  path: '/settings/two_step',
  access: recent,
  show: async (visit) => {
    const { deps, session, look } = visit
    const standing = await factorStanding(deps.read, session.userId)
    const title = look.say('Two-step verification', '2段階認証')
    const main = standing.on ? whenOn(visit, standing) : whenOff(visit)
    return { title, main: html`<h1>${title}</h1>${main}` }
  },
})

/** POST /settings/two_step/start */
export const startTwoStep = defineAction({
  path: '/settings/two_step/start',
  access: recent,
  run: async (visit, sent) => {
    await beginEnrolment(visit.deps, visit.session.userId)
    const target = encodeURIComponent(textOf(sent, 'return_to'))
    return seeOther(visit, `/settings/two_step/set_up?return_to=${target}`)
  },
})

/** GET and POST /settings/two_step/codes: the recovery codes made anew, shown this once. */
export const renewCodes = defineForm({
  path: '/settings/two_step/codes',
  access: whenItIsOn,
  fields: {},
  button: words('Make new recovery codes', 'リカバリーコードを作り直す'),
  once: true,
  show: ({ look: { say } }, form) => {
    const title = say('New recovery codes', 'リカバリーコードの再作成')
    const then = say(
      'They replace all that you have: those end at once.',
      '新しいコードを作成すると、これまでのコードはすべて使えなくなります。',
    )
    return { title, main: html`<h1>${title}</h1><p>${then}</p>${form}` }
  },
  submit: async (visit) => {
    const { deps, session, arrival } = visit
    const { userId } = session
    const codes = await deps.write((tx) => renewRecoveryCodes(tx, userId, deps.random))
    deps.log('recovery_codes_renewed', { id: arrival.id, user: userId })
    return recoveryCodesPage(visit, codes, '/settings/two_step')
  },
})

/** GET and POST /settings/two_step/off: with a code, so that a browser left open cannot. */
export const turnOffTwoStep = defineForm({
  path: '/settings/two_step/off',
  access: recent,
  fields: { code: codeField },
  button: words('Turn off', '無効にする'),
  show: ({ look: { say } }, form) => {
    const title = say('Turn off two-step verification', '2段階認証を無効にする')
    const then = say(
      'After that the password alone lets somebody in.',
      '無効にすると、パスワードだけでログインできるようになります。',
    )
    return { title, main: html`<h1>${title}</h1><p>${then}</p>${form}` }
  },
  submit: async (visit, { code }) => {
    const { deps, session, arrival } = visit
    if (mustHaveFactor(visit)) throw required()
    await proveFactor(visit, code)
    await deps.write((tx) => removeSecondFactor(tx, session.userId))
    deps.log('two_step_off', { id: arrival.id, user: session.userId })
    return seeOther(visit, '/settings/two_step')
  },
})

async function whenItIsOn(visit: Visit): Promise<MemberVisit> {
  const known = recent(visit)
  if ((await factorStanding(visit.deps.read, known.session.userId)).on) return known
  throw new Instead(seeOther(visit, '/settings/two_step'))
}

function whenOff(visit: MemberVisit): Markup {
  const { say, basePath } = visit.look
  const target = queryText(visit, 'return_to') || '/settings/two_step'
  const notice = say(
    'This instance asks for it: please turn it on to go on.',
    'このサイトでは2段階認証が必須です。続けるには有効にしてください。',
  )
  return html`
    ${mustHaveFactor(visit) ? html`<p class="notice">${notice}</p>` : ''}
    <p>${say(
      'It is off. When it is on, signing in takes your password and a code from an application on your phone.',
      '無効です。有効にすると、ログインにはパスワードに加えてスマートフォンのアプリに表示されるコードが必要になります。',
    )}</p>
    <form method="post" action="${basePath}/settings/two_step/start">
      ${csrfInput(visit)}<input type="hidden" name="return_to" value="${target}" />
      <button class="plain">${say('Set it up', '設定する')}</button>
    </form>`
}

function whenOn(visit: MemberVisit, { since, codesLeft }: { since: number; codesLeft: number }): Markup {
  const { say, basePath } = visit.look
  return html`
    <dl>
      <dt>${say('On since', '有効にした日時')}</dt><dd>${moment(since)}</dd>
      <dt>${say('Recovery codes left', '残りのリカバリーコード')}</dt><dd id="codes_left">${codesLeft}</dd>
    </dl>
    <p>${say(
      'A recovery code lets you in once when your phone is not at hand.',
      'リカバリーコードは、スマートフォンが手元にないときに1回ずつ使えます。',
    )}</p>
    <ul>
      <li><a href="${basePath}/settings/two_step/codes">${say('Make new recovery codes', 'リカバリーコードを作り直す')}</a></li>
      <li><a href="${basePath}/settings/two_step/off">${say('Turn it off', '無効にする')}</a></li>
    </ul>`
}

const required = () =>
  new FormProblem(
    '',
    words('This instance asks for two-step verification.', 'このサイトでは2段階認証が必須です。'),
    403,
  )
