import { type Words, words } from '../lib/words'

/** What somebody confirms the password for, as the end of "Confirm your password to …", by where they go on to. */
export const purposeOf = (target: string): Words =>
  purposes.find(([path]) => path.test(target))?.[1] ?? words('go on', '続ける')

/** The first that fits counts; a page that asks for it without standing here fails a test. */
const purposes: readonly (readonly [RegExp, Words])[] = [
  [/^\/settings\/email/, words('change your e-mail address', 'メールアドレスを変更する')],
  [/^\/settings\/two_step\/codes/, words('make new recovery codes', 'リカバリーコードを作り直す')],
  [/^\/settings\/two_step\/off/, words('turn off two-step verification', '2段階認証を無効にする')],
  [/^\/settings\/two_step/, words('manage two-step verification', '2段階認証を管理する')],
  [/^\/settings\/sessions/, words('see where you are signed in', 'ログイン中のブラウザーを確認する')],
  [/^\/settings\/data/, words('download your data', 'データをダウンロードする')],
  [/^\/settings\/delete_account/, words('delete your account', 'アカウントを削除する')],
  [/^\/settings\/tokens/, words('make an access token', 'アクセストークンを作成する')],
  [
    /^\/oauth\/applications\/\d+\/rotate/,
    words('replace the client secret of your application', 'クライアントシークレットを更新する'),
  ],
  [
    /^\/admin\/users\/\d+\/reset_password/,
    words('make a link for somebody’s new password', 'ほかの人のパスワード再設定リンクを作成する'),
  ],
  [/^\/admin\/users/, words('manage users', 'ユーザーを管理する')],
  [/^\/admin\/invitations/, words('manage invitations', '招待を管理する')],
  [/^\/admin/, words('use the administration', '管理画面を開く')],
]
