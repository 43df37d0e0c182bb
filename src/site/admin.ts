import type { Say } from '../lib/words'
import { html } from '../pages/html'
import { administrator } from '../web/access'
import { definePage } from '../web/page'

/** GET /admin */
export const admin = definePage({
  path: '/admin',
  access: administrator,
  show: ({ deps, look: { say, basePath } }) => {
    const title = say('Administration', '管理')
    const { registration } = deps.config
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <ul>
          <li><a href="${basePath}/admin/users">${say('Users', 'ユーザー')}</a></li>
          <li><a href="${basePath}/admin/invitations">${say('Invitations', '招待')}</a></li>
        </ul>
        <dl>
          <dt>${say('Who may make an account', 'アカウントを作成できる人')}</dt>
          <dd>${registrations(say)[registration]} (<code>--registration ${registration}</code>)</dd>
          <dt>${say('Mail', 'メール')}</dt>
          <dd>
            ${
              deps.mail === undefined
                ? say('None is sent (--smtp-url is not set).', '送信しません（--smtp-url が未設定です）。')
                : say('Is sent.', '送信します。')
            }
          </dd>
        </dl>`,
    }
  },
})

const registrations = (say: Say) => ({
  closed: say('Administrators, for other people', '管理者のみ（ほかの人の分も管理者が作成）'),
  invite: say('People with an invitation', '招待された人'),
  open: say('Everybody', '誰でも'),
})
