import { html, type Markup } from '../pages/html'
import { member } from '../web/access'
import { definePage } from '../web/page'
import type { MemberVisit } from '../web/visit'
import { dangerZone } from './confirmation'

/** GET /settings: where everything that a member can set is found. */
export const settings = definePage({
  path: '/settings',
  access: member,
  show: (visit) => {
    const { say } = visit.look
    const link = linkIn(visit)
    const title = say('Settings', '設定')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <h2>${say('You', 'あなたについて')}</h2>
        <ul>
          ${link('/settings/profile', say('Profile', 'プロフィール'))}
          ${link('/settings/email', say('E-mail address', 'メールアドレス'))}
          ${link('/language', say('Language', '言語'))}
        </ul>
        <h2>${say('Signing in', 'ログイン')}</h2>
        <ul>
          ${link('/settings/password', say('Password', 'パスワード'))}
          ${link('/settings/two_step', say('Two-step verification', '2段階認証'))}
          ${link('/settings/sessions', say('Where you are signed in', 'ログイン中のブラウザー'))}
        </ul>
        <h2>${say('Applications', 'アプリケーション')}</h2>
        <ul>
          ${link('/settings/applications', say('Applications you authorized', '許可したアプリケーション'))}
          ${link('/settings/tokens', say('Access tokens', 'アクセストークン'))}
          ${link('/oauth/applications', say('Applications you made', '自分のアプリケーション'))}
        </ul>
        <h2>${say('Your data', 'データ')}</h2>
        <ul>
          ${link('/settings/data', say('Download your data', 'データのダウンロード'))}
        </ul>
        ${dangerZone(
          say('Leave', '退会'),
          html`<p><a class="danger" href="${visit.look.basePath}/settings/delete_account">${say('Delete your account', 'アカウントの削除')}</a></p>`,
        )}`,
    }
  },
})

const linkIn =
  ({ look: { basePath } }: MemberVisit) =>
  (path: string, label: string): Markup =>
    html`<li><a href="${basePath}${path}">${label}</a></li>`
