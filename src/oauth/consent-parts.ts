import type { TokenScope } from '../accounts/token'
import { html, type Markup } from '../pages/html'
import type { Look } from '../pages/layout'
import { namesIn, scopeMeanings } from './scope'

/** What an application will be able to do, and for how long (AZ-24). */
export const whatItMay = ({ say, language }: Look, scope: TokenScope): Markup => html`
  <p>${say('It will be able to:', 'このアプリケーションは次のことができるようになります。')}</p>
  <ul>${namesIn(scope).map((name) => html`<li>${scopeMeanings[name][language]}</li>`)}</ul>
  <p>${say('Access does not expire. You can take it back in your settings at any time.', 'アクセスの許可に期限はありません。設定からいつでも取り消せます。')}</p>`

/** The two ways out of a page of consent. */
export const decisionButtons = ({ say }: Look): Markup => html`
  <button name="decision" value="approve">${say('Allow', '許可する')}</button>
  <button name="decision" value="deny" class="plain">${say('Do not allow', '許可しない')}</button>`
