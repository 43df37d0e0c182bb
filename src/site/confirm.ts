import { words } from '../lib/words'
import { html } from '../pages/html'
import { member } from '../web/access'
import { hiddenField } from '../web/fields'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { queryText } from '../web/query'
import { safeReturn } from '../web/return-to'
import { currentPasswordField } from './account-fields'
import { provePassword } from './prove-password'
import { renew } from './renew-session'

/** GET and POST /confirm: somebody who is signed in proves to be there still (oauth.md §2.2). */
export const confirm = defineForm({
  path: '/confirm',
  access: member,
  fields: { password: currentPasswordField, return_to: hiddenField() },
  button: words('Continue', '続ける'),
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show: ({ look: { say }, session }, form) => ({
    title: say('Is it you?', '本人確認'),
    main: html`
      <h1>${say('Is it you?', '本人確認')}</h1>
      <p>
        ${say(
          `What comes next needs your password once more, ${session.username}.`,
          `${session.username} さん、続けるにはもう一度パスワードを入力してください。`,
        )}
      </p>
      ${form}`,
  }),
  submit: async (visit, { password, return_to }) => {
    await provePassword(visit, password, 'password')
    await renew(visit)
    return seeOther(visit, safeReturn(return_to, visit.deps.config.baseUrl))
  },
})
