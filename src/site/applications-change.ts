import { words } from '../lib/words'
import { rotateSecret } from '../oauth/client-secret'
import { changeApplication, deleteApplication } from '../oauth/registration'
import { html } from '../pages/html'
import { member, recent } from '../web/access'
import { choice } from '../web/fields'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { pageNotFound } from '../web/problem'
import type { MemberVisit } from '../web/visit'
import { applicationFields, deviceField, redirectUriProblems, registrationOf } from './applications-fields'
import { secretPage } from './applications-new'
import { applicationsPath, logApplication, ownApplication, pathOfApplication } from './applications-own'

/** GET and POST /oauth/applications/:id/edit */
export const editApplication = defineForm({
  path: `${applicationsPath}/:id/edit`,
  access: member,
  fields: { ...applicationFields, device_grant: deviceField },
  button: words('Save', '保存'),
  problems: redirectUriProblems,
  initial: async (visit) => {
    const { name, redirect_uris, scope, has_device_grant } = await ownApplication(visit)
    return {
      name,
      redirect_uri: redirect_uris,
      scopes: scope,
      device_grant: has_device_grant === 1 ? '1' : '',
    }
  },
  show: async (visit, form) => {
    const { name } = await ownApplication(visit)
    const { say } = visit.look
    return {
      title: say(`Change ${name}`, `${name} の編集`),
      main: html`
        <h1>${say(`Change ${name}`, `${name} の編集`)}</h1>
        ${form}
        <p>${say('Tokens it has already stay as they are.', '発行済みのトークンは変わりません。')}</p>`,
    }
  },
  submit: async (visit, values) => {
    const { id, uid } = await ownApplication(visit)
    const { deps } = visit
    await changeApplication({ ...deps, baseUrl: deps.config.baseUrl }, id, registrationOf(values))
    logApplication(visit, 'application_changed', uid)
    return seeOther(visit, pathOfApplication(id))
  },
})

/** GET and POST /oauth/applications/:id/delete */
export const removeApplication = defineForm({
  path: `${applicationsPath}/:id/delete`,
  access: member,
  fields: {},
  button: words('Delete it for good', '完全に削除する'),
  show: async (visit, form) => {
    const { name, users_count } = await ownApplication(visit)
    const { say } = visit.look
    const title = say(`Delete ${name}?`, `${name} を削除しますか？`)
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${say(
          'Its client ID, its secret and all its tokens end at once. This cannot be undone.',
          'クライアント ID、シークレット、トークンはすべてすぐに無効になります。元には戻せません。',
        )}</p>
        <p>${say(`People it acts for now: ${users_count ?? 0}`, `現在の利用者数：${users_count ?? 0}`)}</p>
        ${form}
        ${backLink(visit)}`,
    }
  },
  submit: async (visit) => {
    const { id, uid } = await ownApplication(visit)
    await deleteApplication(visit.deps, id)
    logApplication(visit, 'application_deleted', uid)
    return seeOther(visit, applicationsPath)
  },
})

/** GET and POST /oauth/applications/:id/rotate */
export const rotateApplication = defineForm({
  path: `${applicationsPath}/:id/rotate`,
  access: recent,
  fields: {
    overlap: choice({
      label: words('The former one stays good for', '以前のシークレットの猶予期間'),
      options: {
        '0': words('no longer: it ends at once', '猶予なし（すぐに無効）'),
        '1': words('1 day', '1日'),
        '2': words('2 days', '2日'),
        '3': words('3 days', '3日'),
        '4': words('4 days', '4日'),
        '5': words('5 days', '5日'),
        '6': words('6 days', '6日'),
        '7': words('7 days', '7日'),
      },
    }),
  },
  button: words('Make a new client secret', '新しいクライアントシークレットを作成'),
  once: true,
  show: async (visit, form) => {
    const { name } = await confidential(visit)
    const { say } = visit.look
    const title = say(`Replace the client secret of ${name}`, `${name} のクライアントシークレットの更新`)
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${say(
          'Tokens stay good. A secret replaced before the former one ends at once.',
          'トークンはそのまま使えます。それより前のシークレットはすぐに無効になります。',
        )}</p>
        ${form}
        ${backLink(visit)}`,
    }
  },
  submit: async (visit, { overlap }) => {
    const { id, uid } = await confidential(visit)
    const secret = await rotateSecret(visit.deps, id, Number(overlap) * 86_400_000)
    if (secret === undefined) throw pageNotFound()
    logApplication(visit, 'client_secret_rotated', uid)
    return secretPage(visit, { id, uid, secret })
  },
})

/** An application without a secret has no page to replace it. */
async function confidential(visit: MemberVisit) {
  const application = await ownApplication(visit)
  if (application.is_confidential === 0) throw pageNotFound()
  return application
}

const backLink = ({ look: { say, basePath }, params: { id = '' } }: MemberVisit) => html`
  <p><a href="${basePath}${applicationsPath}/${id}">${say('Leave it as it is', 'そのままにする')}</a></p>`
