import { words } from '../lib/words'
import { rotateSecret } from '../oauth/client-secret'
import { endAccess } from '../oauth/end-access'
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
import { confirmation } from './confirmation'

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
  isDestructive: true,
  show: async (visit, form) => {
    const { id, name, users_count } = await ownApplication(visit)
    const people = users_count ?? 0
    return confirmation(visit, form, {
      title: words(`Delete ${name}?`, `${name} を削除しますか？`),
      text: words(
        `Its client ID, its secret and all its tokens end at once. This cannot be undone. People it acts for now: ${people}`,
        `クライアント ID、シークレット、トークンはすべてすぐに無効になります。元には戻せません。現在の利用者数：${people}`,
      ),
      back: pathOfApplication(id),
    })
  },
  submit: async (visit) => {
    const { id, uid } = await ownApplication(visit)
    await deleteApplication(visit.deps, id)
    logApplication(visit, 'application_deleted', uid)
    return seeOther(visit, applicationsPath)
  },
})

/** GET and POST /oauth/applications/:id/revoke_tokens: everybody has to consent again (AP-04). */
export const revokeApplicationTokens = defineForm({
  path: `${applicationsPath}/:id/revoke_tokens`,
  access: member,
  fields: {},
  button: words('Revoke all its tokens', 'トークンをすべて取り消す'),
  isDestructive: true,
  show: async (visit, form) => {
    const { id, name, users_count } = await ownApplication(visit)
    const people = users_count ?? 0
    return confirmation(visit, form, {
      title: words(`Revoke all tokens of ${name}?`, `${name} のトークンをすべて取り消しますか？`),
      text: words(
        `It loses access to everybody’s account until they allow it again. People it acts for now: ${people}`,
        `利用者がもう一度許可するまで、このアプリケーションは誰の操作も行えなくなります。現在の利用者数：${people}`,
      ),
      back: pathOfApplication(id),
    })
  },
  submit: async (visit) => {
    const { id, uid } = await ownApplication(visit)
    await visit.deps.write((tx) => endAccess(tx, { applicationId: id }))
    logApplication(visit, 'application_tokens_revoked', uid)
    return seeOther(visit, pathOfApplication(id))
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
