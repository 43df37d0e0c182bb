import { beginDeletion, finishLogged } from '../accounts/deletion'
import { words } from '../lib/words'
import { html } from '../pages/html'
import { anyone, recent } from '../web/access'
import { setCookie } from '../web/cookies'
import { choice, passwordField } from '../web/fields'
import { defineForm } from '../web/form'
import { definePage, seeOther } from '../web/page'
import { provePassword } from './prove-password'

/** GET and POST /settings/delete_account: with the password typed again, however lately somebody signed in. */
export const deleteAccount = defineForm({
  path: '/settings/delete_account',
  access: recent,
  fields: {
    what: choice({
      label: words('What to delete', '削除するもの'),
      options: {
        everything: words('Everything', 'すべて'),
        all_but_comments: words(
          'Everything but my comments, which stay without my name',
          'すべて（感想とレビューは名前を消して残す）',
        ),
      },
    }),
    password: passwordField({
      label: words('Your password', 'パスワード'),
      autocomplete: 'current-password',
    }),
  },
  button: words('Delete my account', 'アカウントを削除する'),
  isDestructive: true,
  show: ({ look: { say, basePath } }, form) => {
    const title = say('Delete your account', 'アカウントの削除')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${say(
          'This cannot be undone. Your profile, records, reviews, statuses, likes, follows, favorites, applications and tokens are deleted, and your applications stop working for everybody.',
          '元に戻すことはできません。プロフィール、記録、レビュー、ステータス、いいね、フォロー、お気に入り、アプリケーション、トークンが削除されます。自分のアプリケーションは、ほかの人も使えなくなります。',
        )}</p>
        <p>${say(
          'If your comments stay, records with a comment and reviews with a text are shown as those of a deleted user.',
          '感想を残す場合、感想のある記録と本文のあるレビューは、削除されたユーザーのものとして表示されます。',
        )}</p>
        <p><a href="${basePath}/settings/data">${say('Download your data first', '先にデータをダウンロードする')}</a></p>
        ${form}`,
    }
  },
  submit: async (visit, { what, password }) => {
    const { deps, session, arrival, cookies } = visit
    const { userId } = session
    await provePassword(visit, password, 'password')
    const keepsComments = what === 'all_but_comments'
    await beginDeletion(deps, { userId, keepsComments })
    deps.log('account_deletion', { id: arrival.id, user: userId, keeps_comments: keepsComments })
    // Not awaited: it may take a while, and none of it can be seen any more but the number of what is left.
    void finishLogged(deps, userId)
    for (const name of ['sid', 'device'] as const) cookies.push(setCookie(name, '', 0, deps.config.baseUrl))
    return seeOther(visit, '/account_deleted')
  },
})

/** GET /account_deleted */
export const accountDeleted = definePage({
  path: '/account_deleted',
  access: anyone,
  show: ({ look: { say } }) => {
    const title = say('Your account is deleted', 'アカウントを削除しました')
    const rest = say(
      'What was in it is being removed now, which may take a minute.',
      '残りのデータを削除しています。1分ほどかかることがあります。',
    )
    return { title, main: html`<h1>${title}</h1><p>${rest}</p>` }
  },
})
