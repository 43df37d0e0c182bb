import { isSetupLink, setUp } from '../../accounts/account/setup'
import { html } from '../../pages/html'
import { defineForm } from '../../web/form'
import { seeOther } from '../../web/page'
import type { Visit } from '../../web/visit'
import { linkProblem } from '../too-often'
import { emailField, newPasswordField, passwordForOwner, usernameField } from './account-fields'
import { beginSession } from './sign-in'

/** The link that the server printed creates the first administrator (D51). */
export const setup = defineForm({
  path: '/setup/:link',
  access: async (visit: Visit) => {
    if (await isSetupLink(visit.deps, visit.params.link ?? '')) return visit
    throw invalidLink()
  },
  fields: { username: usernameField, email: emailField, password: newPasswordField },
  button: (t) => t.setup.button,
  checkTogether: (_, values) => passwordForOwner(values),
  show: ({ t }, form) => ({
    title: t.setup.title,
    isBare: true,
    main: html`
      <h1>${t.setup.title}</h1>
      <p>
        ${t.setup.explained}
      </p>
      ${form}`,
  }),
  submit: async (visit, account) => {
    const { deps, params, context } = visit
    const user = await setUp(deps, params.link ?? '', account)
    if (user === undefined) throw invalidLink()
    deps.log('set_up', { id: context.id, user })
    await beginSession(visit, user)
    return seeOther(visit, '/welcome/catalogue')
  },
})

const invalidLink = () => linkProblem((t) => t.setup.newLink)
