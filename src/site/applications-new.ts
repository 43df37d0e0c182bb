import type { Route } from '../http/route'
import { type Say, words } from '../lib/words'
import { type Registered, registerApplication } from '../oauth/registration'
import { html } from '../pages/html'
import type { Shown } from '../pages/layout'
import { member } from '../web/access'
import { checkbox } from '../web/fields'
import { defineForm } from '../web/form'
import type { MemberVisit } from '../web/visit'
import { applicationFields, deviceField, redirectUriProblems, registrationOf } from './applications-fields'
import { applicationsPath, logApplication, pathOfApplication } from './applications-own'

/** GET and POST /oauth/applications/new */
export const newApplication = defineForm({
  path: `${applicationsPath}/new`,
  access: member,
  fields: {
    ...applicationFields,
    confidential: checkbox({
      label: words('It can keep a secret', 'クライアントシークレットを安全に保管できる'),
      hint: words(
        'On for a program on a server. Off for an app that people install, or a page in a browser. It stays as it is.',
        'サーバー上のプログラムならオン、配布するアプリやブラウザー上のページならオフにします。あとから変更できません。',
      ),
    }),
    device_grant: deviceField,
  },
  button: words('Register', '登録'),
  problems: redirectUriProblems,
  once: true,
  initial: () => ({ confidential: '1' }),
  show: ({ look: { say } }, form) => {
    const title = say('Register an application', 'アプリケーションを登録')
    return { title, main: html`<h1>${title}</h1>${form}` }
  },
  submit: async (visit, values) => {
    const { deps, session } = visit
    const { baseUrl } = deps.config
    const asked = { ...registrationOf(values), isConfidential: values.confidential, ownerId: session.userId }
    const registered = await registerApplication({ ...deps, baseUrl }, asked)
    logApplication(visit, 'application_registered', registered.uid)
    return secretPage(visit, registered)
  },
})

/** POST /oauth/applications: the same, where programs look for it. */
export const createApplication: readonly Route[] = newApplication
  .filter(({ method }) => method === 'POST')
  .map((route) => ({ ...route, path: applicationsPath }))

/** The page that shows an application's secret, this once (AP-03). */
export function secretPage({ look: { say, basePath } }: MemberVisit, { id, uid, secret }: Registered): Shown {
  const title = say('What your application needs', 'アプリケーションに設定する値')
  const clientSecret = html`
    <dt>${say('Client secret', 'クライアントシークレット')}</dt>
    <dd><code id="client_secret">${secret ?? ''}</code></dd>`
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <div class="once">
        ${secret === null ? '' : html`<p>${copyNow(say)}</p>`}
        <dl>
          <dt>${say('Client ID', 'クライアント ID')}</dt>
          <dd><code id="client_id">${uid}</code></dd>
          ${secret === null ? '' : clientSecret}
        </dl>
      </div>
      <p><a href="${basePath}${pathOfApplication(id)}">${say('To the application', 'アプリケーションのページへ')}</a></p>`,
  }
}

const copyNow = (say: Say) =>
  say(
    'Copy the client secret now: it is shown this once and kept nowhere.',
    'クライアントシークレットを今コピーしてください。表示されるのはこの1回だけで、どこにも保存されません。',
  )
