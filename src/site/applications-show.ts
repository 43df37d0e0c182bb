import type { Say } from '../lib/words'
import { formerSecretEnds, type OwnedApplication } from '../oauth/owned-applications'
import { challengeOf, createVerifier } from '../oauth/pkce'
import { refusedUris, unencryptedUris } from '../oauth/registration'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { member } from '../web/access'
import { definePage } from '../web/page'
import type { MemberVisit } from '../web/visit'
import { applicationsPath, ownApplication, pathOfApplication } from './applications-own'
import { dangerZone } from './confirmation'

/** GET /oauth/applications/:id */
export const showApplication = definePage({
  path: `${applicationsPath}/:id`,
  access: member,
  show: async (visit) => {
    const { deps, look } = visit
    const application = await ownApplication(visit)
    const former = await formerSecretEnds(deps.read, application.id, deps.now())
    return {
      title: application.name,
      main: html`
        <h1>${application.name}</h1>
        ${former === undefined ? '' : formerSecret(visit, former)}
        ${refused(visit, application)}
        ${unencrypted(visit, application)}
        ${facts(visit, application)}
        ${whatToDo(visit, application)}
        <h2>${look.say('Try it', '試す')}</h2>
        ${authorizeLink(visit, application)}
        <p><a href="${look.basePath}${applicationsPath}">${look.say('All your applications', '自分のアプリケーションの一覧')}</a></p>
        ${whatToEnd(visit, application)}`,
    }
  },
})

const formerSecret = ({ look }: MemberVisit, ends: number): Markup => html`
  <p class="notice">${look.say('The former client secret expires:', '以前のクライアントシークレットの有効期限：')} ${moment(look, ends)}</p>`

function refused({ look: { say } }: MemberVisit, { redirect_uris }: OwnedApplication): Markup | '' {
  const uris = refusedUris(redirect_uris)
  if (uris.length === 0) return ''
  return html`<p class="notice">${say(
    'These redirect URIs break a rule and are refused. Change them:',
    '次のリダイレクト URI は規則に合わないため使えません。変更してください：',
  )} ${uris.map((uri) => html`<code>${uri}</code> `)}</p>`
}

function unencrypted({ look: { say } }: MemberVisit, { redirect_uris }: OwnedApplication): Markup | '' {
  const uris = unencryptedUris(redirect_uris)
  if (uris.length === 0) return ''
  return html`<p class="notice">${say(
    'Not encrypted, so anybody on the way can read the codes:',
    '暗号化されていないため、経路上でコードを読み取られるおそれがあります：',
  )} ${uris.map((uri) => html`<code>${uri}</code> `)}</p>`
}

function facts({ look }: MemberVisit, application: OwnedApplication): Markup {
  const { say } = look
  const uris = application.redirect_uris.split('\n')
  return html`<dl>
    <dt>${say('Client ID', 'クライアント ID')}</dt>
    <dd><code id="client_id">${application.uid}</code></dd>
    <dt>${say('Redirect URIs', 'リダイレクト URI')}</dt>
    ${uris.map((uri) => html`<dd><code>${uri}</code></dd>`)}
    <dt>${say('Scope', 'スコープ')}</dt>
    <dd><code>${application.scope}</code></dd>
    <dt>${say('Keeps a secret', 'シークレットの保管')}</dt>
    <dd>${yesOrNo(say, application.is_confidential)}</dd>
    <dt>${say('Device authorization grant', 'デバイス認可グラント')}</dt>
    <dd>${yesOrNo(say, application.has_device_grant)}</dd>
    <dt>${say('Registered', '登録日時')}</dt>
    <dd>${moment(look, application.created_at)}</dd>
    <dt>${say('People whose consent it has', '許可している利用者数')}</dt>
    <dd>${application.users_count ?? 0}</dd>
    <dt>${say('Last used', '最終利用')}</dt>
    <dd>${moment(look, application.last_used_at, say('Never', 'なし'))}</dd>
  </dl>`
}

const yesOrNo = (say: Say, value: number) => (value === 1 ? say('Yes', 'はい') : say('No', 'いいえ'))

function whatToDo(visit: MemberVisit, { id, is_confidential }: OwnedApplication): Markup {
  const { say, basePath } = visit.look
  const link = (below: string, text: string) =>
    html`<li><a href="${basePath}${pathOfApplication(id, below)}">${text}</a></li>`
  return html`
    <ul>
      ${link('edit', say('Change', '編集'))}
      ${is_confidential === 1 ? link('rotate', say('Replace the client secret', 'クライアントシークレットを更新')) : ''}
    </ul>`
}

/** Ways to pages that ask first. */
function whatToEnd({ look: { say, basePath } }: MemberVisit, { id }: OwnedApplication): Markup {
  const link = (below: string, text: string) =>
    html`<li><a class="danger" href="${basePath}${pathOfApplication(id, below)}">${text}</a></li>`
  return dangerZone(
    say('End its access', 'アクセスの停止'),
    html`<ul>
      ${link('revoke_tokens', say('Revoke all its tokens', 'トークンをすべて取り消す'))}
      ${link('delete', say('Delete the application', 'アプリケーションを削除'))}
    </ul>`,
  )
}

/** What the application does first, made with its first redirect URI; one without a secret needs PKCE for it (RFC 7636). */
function authorizeLink({ deps, look }: MemberVisit, application: OwnedApplication): Markup {
  const { say } = look
  const [redirect_uri = ''] = application.redirect_uris.split('\n')
  const { uid: client_id, scope } = application
  const query = new URLSearchParams({ client_id, response_type: 'code', redirect_uri, scope })
  const verifier = application.is_confidential === 1 ? undefined : createVerifier(deps.random)
  if (verifier !== undefined) {
    query.set('code_challenge', challengeOf(verifier))
    query.set('code_challenge_method', 'S256')
  }
  const link = `${deps.config.baseUrl}/oauth/authorize?${query}`
  const withVerifier = html`
    <p>${say('Exchange the code with this code_verifier:', 'コードの交換には次の code_verifier を使います：')} <code id="code_verifier">${verifier ?? ''}</code></p>`
  return html`
    <p>${say('It sends people here:', '利用者を次のアドレスに誘導します：')}</p>
    <p><a id="authorize_link" href="${link}">${link}</a></p>
    ${verifier === undefined ? '' : withVerifier}`
}
