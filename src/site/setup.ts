import { isSetupLink, setUp } from '../accounts/setup'
import { words } from '../lib/words'
import { html } from '../pages/html'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'
import type { Visit } from '../web/visit'
import { emailField, newPasswordField, ownedPasswordProblems, usernameField } from './account-fields'
import { linkProblem } from './link-problem'
import { begin } from './sign-in'

/** GET and POST /setup/:link: whoever has the link that the server printed makes the first administrator (D51). */
export const setup = defineForm({
  path: '/setup/:link',
  access: async (visit: Visit) => {
    if (await isSetupLink(visit.deps, visit.params.link ?? '')) return visit
    throw gone()
  },
  fields: { username: usernameField, email: emailField, password: newPasswordField },
  button: words('Make the administrator', '管理者を作成'),
  problems: (_, values) => ownedPasswordProblems(values),
  show: ({ look: { say } }, form) => ({
    title: say('Set up kiroku', 'kiroku の初期設定'),
    main: html`
      <h1>${say('Set up kiroku', 'kiroku の初期設定')}</h1>
      <p>
        ${say(
          'Make the account of the administrator: who may invite others, and stop accounts.',
          '管理者のアカウントを作成します。管理者は、ほかの人を招待したり、アカウントを停止したりできます。',
        )}
      </p>
      ${form}`,
  }),
  submit: async (visit, asked) => {
    const { deps, params, arrival } = visit
    const user = await setUp(deps, params.link ?? '', asked)
    if (user === undefined) throw gone()
    deps.log('set_up', { id: arrival.id, user })
    await begin(visit, user)
    return seeOther(visit, '/')
  },
})

const gone = () =>
  linkProblem(
    words(
      'While there is no administrator, “kiroku setup-url” prints a new one.',
      '管理者がまだいなければ、「kiroku setup-url」で新しいリンクを作成できます。',
    ),
  )
