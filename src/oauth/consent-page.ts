import { html, type Markup } from '../pages/html'
import type { Look, Shown } from '../pages/layout'
import { csrfInput } from '../web/form-markup'
import type { MemberVisit } from '../web/visit'
import type { AuthorizationRequest } from './authorization-request'
import { formTarget } from './client-answer'
import { decisionButtons, whatItMay } from './consent-parts'
import { outOfBand } from './redirect-uri'

/** The page that asks for consent: who wants what, where the answer goes, and for how long it holds (AZ-24). */
export function consentPage(visit: MemberVisit, asked: AuthorizationRequest, handle: string): Shown {
  const { look, session } = visit
  const { say, basePath } = look
  const { application, redirectUri, scope } = asked
  const target = formTarget(redirectUri)
  const main = html`
    <h1>${say('Give access to your account?', 'アカウントへのアクセスを許可しますか？')}</h1>
    <dl>
      <dt>${say('Application', 'アプリケーション')}</dt><dd><bdi>${application.name}</bdi></dd>
      <dt>${say('Registered by', '登録者')}</dt><dd>${application.owner}</dd>
      <dt>${say('Leads you to', '許可後の移動先')}</dt><dd>${destination(look, redirectUri)}</dd>
      <dt>${say('Your account', 'あなたのアカウント')}</dt><dd>${session.username}</dd>
    </dl>
    ${whatItMay(look, scope)}
    <p class="notice">${say('Allow this only if you began it in the application yourself.', 'あなた自身がアプリケーションで始めた操作でなければ、許可しないでください。')}</p>
    <form method="post" action="${basePath}/oauth/authorize">
      ${csrfInput(visit)}
      <input type="hidden" name="request" value="${handle}" />
      ${decisionButtons(look)}
    </form>`
  const title = say('Give access', 'アクセスの許可')
  return { title, main, ...(target === undefined ? {} : { formTargets: [target] }) }
}

/** The page that shows a code to copy, where an application cannot be led back to: never in a URL (AZ-08). */
export const codePage = ({ say }: Look, code: string): Shown => ({
  title: say('Authorization code', '認可コード'),
  main: html`
    <h1>${say('Authorization code', '認可コード')}</h1>
    <p>${say('Copy this code into the application. It is good once, for ten minutes.', 'このコードをアプリケーションに入力してください。10分以内に1回だけ使えます。')}</p>
    <p class="once"><code id="authorization_code">${code}</code></p>`,
})

function destination({ say }: Look, redirectUri: string): string | Markup {
  if (redirectUri === outOfBand) return say('a code for you to copy', '表示されるコードを入力')
  const { protocol, host } = new URL(redirectUri)
  if (!/^https?:$/.test(protocol)) {
    return html`${say('an application on this device:', 'この端末のアプリケーション：')} <code>${protocol}</code>`
  }
  return html`<code>${host}</code>`
}
