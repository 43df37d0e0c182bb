import { beginEnrolment, factorStanding } from '../accounts/second-factor'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { recent } from '../web/access'
import { defineAction, textOf } from '../web/form'
import { csrfInput } from '../web/form-markup'
import { definePage, seeOther } from '../web/page'
import { queryText } from '../web/query'
import { mustHaveFactor } from '../web/required-factor'
import type { MemberVisit } from '../web/visit'
import { dangerZone } from './confirmation'

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

function whenOn({ look }: MemberVisit, { since, codesLeft }: { since: number; codesLeft: number }): Markup {
  const { say, basePath } = look
  return html`
    <dl>
      <dt>${say('On since', '有効にした日時')}</dt><dd>${moment(look, since)}</dd>
      <dt>${say('Recovery codes left', '残りのリカバリーコード')}</dt><dd id="codes_left">${codesLeft}</dd>
    </dl>
    <p>${say(
      'A recovery code lets you in once when your phone is not at hand.',
      'リカバリーコードは、スマートフォンが手元にないときに1回ずつ使えます。',
    )}</p>
    <p><a href="${basePath}/settings/two_step/codes">${say('Make new recovery codes', 'リカバリーコードを作り直す')}</a></p>
    ${dangerZone(
      say('Without it', '2段階認証をやめる'),
      html`<p><a class="danger" href="${basePath}/settings/two_step/off">${say('Turn it off', '無効にする')}</a></p>`,
    )}`
}
