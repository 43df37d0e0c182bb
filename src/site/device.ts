import { words } from '../lib/words'
import { decisionButtons, whatItMay } from '../oauth/consent-parts'
import { type Decision, readDecision } from '../oauth/decide'
import { devicePath } from '../oauth/device-authorization'
import { decideDevice, type PendingDevice, type Sought, seekDevice } from '../oauth/device-consent'
import { shownUserCode } from '../oauth/user-code'
import { html } from '../pages/html'
import type { Shown } from '../pages/layout'
import { member } from '../web/access'
import { textField } from '../web/fields'
import { defineAction, defineForm, textOf } from '../web/form'
import { csrfInput } from '../web/form-markup'
import { FormProblem, PageProblem } from '../web/problem'
import { queryText } from '../web/query'
import type { MemberVisit } from '../web/visit'
import { inSeconds } from './too-often'

/** GET and POST /device: somebody types the code that a device shows (RFC 8628 §3.3). */
export const enterDeviceCode = defineForm({
  path: devicePath,
  access: member,
  fields: {
    user_code: textField({
      label: words('The code on the device', '機器に表示されたコード'),
      hint: words('Eight letters, such as BCDF-GHJK.', 'BCDF-GHJK のような8文字です。'),
      limit: 50,
    }),
  },
  button: words('Continue', '次へ'),
  initial: (visit) => ({ user_code: queryText(visit, 'user_code') }),
  show: ({ look: { say } }, form) => {
    const title = say('Connect a device', '機器を接続')
    return { title, main: html`<h1>${title}</h1>${form}` }
  },
  submit: async (visit, { user_code }) => {
    const sought = await seekDevice(visit.deps, typedBy(visit, user_code))
    note(visit, sought)
    if (sought.outcome === 'found') return consentPage(visit, sought.device)
    if (sought.outcome === 'unknown') throw new FormProblem('user_code', unknownCode)
    const seconds = Math.ceil(sought.wait / 1000)
    throw new FormProblem('', tooOften(seconds), 429, { 'Retry-After': String(seconds) })
  },
})

/** POST /device/decide: what somebody decided. */
export const decideOnDevice = defineAction({
  path: `${devicePath}/decide`,
  access: member,
  run: async (visit, sent) => {
    const decision = readDecision(textOf(sent, 'decision'))
    const typed = typedBy(visit, textOf(sent, 'user_code'))
    const sought = await decideDevice(visit.deps, typed, decision)
    note(visit, sought, decision)
    if (sought.outcome === 'found') return decidedPage(visit, decision)
    if (sought.outcome === 'unknown') throw new PageProblem(400, over, unknownCode)
    const seconds = Math.ceil(sought.wait / 1000)
    throw new PageProblem(429, over, tooOften(seconds), { 'Retry-After': String(seconds) })
  },
})

const typedBy = ({ session, arrival }: MemberVisit, text: string) => ({
  text,
  userId: session.userId,
  address: arrival.peer,
})

/** Of a code only what it led to: whoever reads the log could use it. */
function note({ deps, arrival, session }: MemberVisit, sought: Sought, decision?: Decision): void {
  const client = sought.outcome === 'found' ? sought.device.client : undefined
  const facts = { outcome: sought.outcome, decision, user: session.userId, client }
  deps.log('device_code', { id: arrival.id, ...facts })
}

/** Who wants what, and which device: a stranger may have sent somebody here with a code of theirs (RFC 8628 §5.4). */
function consentPage(visit: MemberVisit, device: PendingDevice): Shown {
  const { look, session } = visit
  const { say, basePath } = look
  const code = shownUserCode(device.userCode)
  return {
    title: say('Give access', 'アクセスの許可'),
    main: html`
      <h1>${say('Give a device access to your account?', '機器にアカウントへのアクセスを許可しますか？')}</h1>
      <dl>
        <dt>${say('Application', 'アプリケーション')}</dt><dd><bdi>${device.name}</bdi></dd>
        <dt>${say('Registered by', '登録者')}</dt><dd>${device.owner}</dd>
        <dt>${say('Code on the device', '機器に表示されたコード')}</dt><dd><code id="user_code">${code}</code></dd>
        <dt>${say('Your account', 'あなたのアカウント')}</dt><dd>${session.username}</dd>
      </dl>
      ${whatItMay(look, device.scope)}
      <p class="notice">${say(
        'Allow this only if a device in front of you shows this very code. If somebody sent it to you, do not.',
        '目の前の機器に同じコードが表示されている場合だけ許可してください。誰かから送られてきたコードなら、許可しないでください。',
      )}</p>
      <form method="post" action="${basePath}${devicePath}/decide">
        ${csrfInput(visit)}
        <input type="hidden" name="user_code" value="${code}" />
        ${decisionButtons(look)}
      </form>`,
  }
}

function decidedPage({ look: { say } }: MemberVisit, decision: Decision): Shown {
  const isAllowed = decision === 'approve'
  const title = isAllowed
    ? say('The device has access', '機器にアクセスを許可しました')
    : say('The device has no access', '機器にアクセスを許可しませんでした')
  const rest = isAllowed
    ? say('It goes on by itself in a few seconds.', '数秒後に機器側で自動的に続行されます。')
    : say('You can close this page.', 'このページは閉じてかまいません。')
  return { title, main: html`<h1>${title}</h1><p>${rest}</p>` }
}

const over = words('This question is over', 'この確認は終了しています')

const unknownCode = words(
  'The code is not known, was used already, or is older than ten minutes.',
  'コードが違うか、使用済みか、10分以上経過しています。',
)

const tooOften = (seconds: number) =>
  words(
    `Too many codes were wrong. Try again ${inSeconds(seconds)}.`,
    `コードの間違いが続いています。${seconds}秒後にもう一度お試しください。`,
  )
