import { checkDescription, createToken, listTokens, revokeOwnToken } from '../accounts/token'
import { parseDuration } from '../lib/duration'
import { words } from '../lib/words'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { table } from '../pages/table'
import { isRecent, member, recent } from '../web/access'
import { checked, choice, textField } from '../web/fields'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { pathId } from '../web/path-id'
import { pageNotFound } from '../web/problem'
import type { MemberVisit } from '../web/visit'
import { confirmation, dangerLink } from './confirmation'
import { scopeField } from './scope-options'

/** GET and POST /settings/tokens: the personal access tokens of whoever is signed in (D49). */
export const settingsTokens = defineForm({
  path: '/settings/tokens',
  access: member,
  fields: {
    description: checked(
      textField({
        label: words('What it is for', '用途'),
        hint: words('Helps to tell it from others later.', 'あとで見分けるための説明です。'),
        limit: 500,
      }),
      checkDescription,
    ),
    scope: scopeField(words('What it may do', '許可する操作')),
    expires_in: choice({
      label: words('How long it is good for', '有効期間'),
      options: {
        never: words('Until it is revoked', '取り消すまで'),
        '7d': words('7 days', '7日'),
        '30d': words('30 days', '30日'),
        '90d': words('90 days', '90日'),
        '365d': words('A year', '1年'),
      },
    }),
  },
  button: words('Make the token', 'トークンを作成'),
  once: true,
  show: async (visit, form) => {
    const { deps, session, look } = visit
    const tokens = await listTokens(deps.read, session.userId)
    const title = look.say('Access tokens', 'アクセストークン')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${look.say(
          'A personal access token lets a program of yours use the API in your name.',
          '個人用アクセストークンを使うと、自分のプログラムから自分の名前で API を利用できます。',
        )}</p>
        ${tokenTable(visit, tokens)}
        <h2>${look.say('A new token', '新しいトークン')}</h2>
        ${isRecent(visit) ? form : confirmFirst(visit)}`,
    }
  },
  submit: async (visit, { description, scope, expires_in }) => {
    // A session left open may look, but not make what outlives it (PT-01).
    const { deps, session, arrival } = recent(visit)
    const expiresIn = parseDuration(expires_in)
    const made = await createToken(deps, { userId: session.userId, description, scope, expiresIn })
    deps.log('token_created', { id: arrival.id, user: session.userId, token: made.id, scope })
    return tokenPage(visit, made.token)
  },
})

/** GET and POST /settings/tokens/:id/revoke */
export const revokeMyToken = defineForm({
  path: '/settings/tokens/:id/revoke',
  access: member,
  fields: {},
  button: words('Revoke it', '取り消す'),
  isDestructive: true,
  show: async (visit, form) => {
    const { deps, session } = visit
    const id = pathId(visit)
    const token = (await listTokens(deps.read, session.userId)).find((one) => one.id === id)
    if (token === undefined) throw pageNotFound()
    return confirmation(visit, form, {
      title: words(
        `Revoke the token for ${token.description}?`,
        `トークン「${token.description}」を取り消しますか？`,
      ),
      text: words(
        'Programs that use it stop working at once. It cannot be made good again; you can make another one.',
        'このトークンを使うプログラムはすぐに動かなくなります。元には戻せませんが、新しいトークンを作成できます。',
      ),
      back: '/settings/tokens',
    })
  },
  submit: async (visit) => {
    const { deps, session, arrival } = visit
    const id = pathId(visit)
    if (!(await revokeOwnToken(deps, session.userId, id))) throw pageNotFound()
    deps.log('token_revoked', { id: arrival.id, user: session.userId, token: id })
    return seeOther(visit, '/settings/tokens')
  },
})

type Tokens = Awaited<ReturnType<typeof listTokens>>

function tokenTable(visit: MemberVisit, tokens: Tokens): Markup {
  const { say } = visit.look
  if (tokens.length === 0) return html`<p>${say('There is no token yet.', 'トークンはまだありません。')}</p>`
  const heads = [
    say('For', '用途'),
    say('Scope', 'スコープ'),
    say('Made', '作成日時'),
    say('Expires', '有効期限'),
    say('Last used', '最終利用'),
    '',
  ]
  return table(
    heads,
    tokens.map((token) => tokenRow(visit, token)),
  )
}

function tokenRow(visit: MemberVisit, token: Tokens[number]) {
  const { say } = visit.look
  const isOver = token.expires_at !== null && token.expires_at <= visit.deps.now()
  return [
    token.description,
    html`<code>${token.scope}</code>`,
    moment(visit.look, token.created_at),
    html`${moment(visit.look, token.expires_at, say('Never', 'なし'))}${isOver ? say(' (expired)', '（期限切れ）') : ''}`,
    moment(visit.look, token.last_used_at, say('Never', 'なし')),
    dangerLink(visit, `/settings/tokens/${token.id}/revoke`, say('Revoke', '取り消す'), token.description),
  ]
}

const confirmFirst = ({ look: { say, basePath } }: MemberVisit) => html`
  <p class="notice">${say('It has been a while since you signed in.', 'ログインから時間がたっています。')}
  <a href="${basePath}/confirm?return_to=%2Fsettings%2Ftokens">${say(
    'Confirm that it is you to make a token',
    '本人確認をしてトークンを作成する',
  )}</a></p>`

function tokenPage({ look: { say, basePath } }: MemberVisit, token: string) {
  const title = say('Your new token', '新しいトークン')
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <div class="once">
        <p>${say(
          'Copy it now: it is shown this once and kept nowhere.',
          '今コピーしてください。表示されるのはこの1回だけで、どこにも保存されません。',
        )}</p>
        <p><code id="access_token">${token}</code></p>
      </div>
      <p><a href="${basePath}/settings/tokens">${say('Back to the tokens', 'トークンの一覧に戻る')}</a></p>`,
  }
}
