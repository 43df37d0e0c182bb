import { version } from '../version'
import { html, type Markup } from './html'
import type { Look, Shown } from './layout'

interface Held {
  readonly works: number
  readonly episodes: number
  readonly users: number
}

/** The first page: what this is, what it holds, where to go from here. */
export function homePage(look: Look, held: Held): Shown {
  const { say, basePath } = look
  const main = html`
      <h1>${say('A viewing log for anime', 'アニメの視聴記録')}</h1>
      <p>${say(
        `This instance of kiroku ${version} keeps its own catalogue and what its people watch.`,
        `kiroku ${version} のインスタンスです。作品のカタログと、みんなの視聴記録を保管しています。`,
      )}</p>
      ${figures(look, held)}
      ${look.member?.isAdmin && held.users === 1 ? nextSteps(look) : ''}
      <p>${say('Clients speak to it through the', 'クライアントは')}
        <a href="${basePath}/docs">REST API</a>${say(
          ', which takes the requests that Annict’s v1 takes.',
          ' を使います。Annict の v1 と同じリクエストを受け付けます。',
        )}</p>`
  return { title: 'kiroku', main }
}

const figures = ({ say }: Look, held: Held): Markup => html`
      <dl class="figures">
        <div><dt>${say('Works', '作品')}</dt><dd>${grouped(held.works)}</dd></div>
        <div><dt>${say('Episodes', 'エピソード')}</dt><dd>${grouped(held.episodes)}</dd></div>
        <div><dt>${say('Users', 'ユーザー')}</dt><dd>${grouped(held.users)}</dd></div>
      </dl>`

/** What whoever has just set the instance up wants to do. */
function nextSteps({ say, basePath }: Look): Markup {
  const step = (path: string, label: string) => html`<li><a href="${basePath}${path}">${label}</a></li>`
  return html`
      <h2>${say('Next steps', '次にすること')}</h2>
      <ul>
        ${step('/admin/invitations', say('Invite people', 'ほかの人を招待する'))}
        ${step('/oauth/applications', say('Register an application', 'アプリケーションを登録する'))}
        ${step('/settings/tokens', say('Make an access token', 'アクセストークンを作成する'))}
        ${step('/settings', say('Look through your settings', '自分の設定を確認する'))}
      </ul>`
}

const grouped = (count: number) => count.toLocaleString('en')
