import type { Language, Words } from '../lib/words'
import { words } from '../lib/words'
import type { Letter } from './mail'

/** What a letter says, in each language. */
export interface Text {
  readonly subject: Words
  readonly text: Words
}

/** A letter in the language of its reader. */
export const addressed = (to: string, language: Language, { subject, text }: Text): Letter => ({
  to,
  subject: subject[language],
  text: `${text[language]}\n`,
})

/** A link that lets somebody choose a new password. */
export const resetLetter = (username: string, url: string): Text => ({
  subject: words('kiroku: choose a new password', 'kiroku：新しいパスワードの設定'),
  text: words(
    `Somebody, most likely you, asked for a new password for the account ${username}.

Choose it here within an hour:
${url}

If it was not you, there is nothing to do: the password stays as it is.`,
    `アカウント ${username} のパスワード再設定のリクエストがありました。

1時間以内に次のページで新しいパスワードを設定してください。
${url}

心当たりがない場合は、このメールを無視してください。パスワードは変わりません。`,
  ),
})

/** A link that begins an account. */
export const signUpLetter = (url: string): Text => ({
  subject: words('kiroku: make your account', 'kiroku：アカウントの作成'),
  text: words(
    `Somebody, most likely you, wants to make an account with this address.

Go on here within an hour:
${url}

If it was not you, there is nothing to do.`,
    `このメールアドレスでアカウントを作成するリクエストがありました。

1時間以内に次のページで手続きを続けてください。
${url}

心当たりがない場合は、このメールを無視してください。`,
  ),
})

/** To somebody who has an account and asks for another one. */
export const alreadyLetter = (username: string, baseUrl: string): Text => ({
  subject: words('kiroku: you have an account', 'kiroku：アカウントをお持ちです'),
  text: words(
    `Somebody, most likely you, wanted to make an account with this address. It has one already: ${username}

Sign in: ${baseUrl}/sign_in
Forgot the password: ${baseUrl}/reset_password

If it was not you, there is nothing to do.`,
    `このメールアドレスでアカウントを作成するリクエストがありましたが、すでにアカウント ${username} で使われています。

ログイン: ${baseUrl}/sign_in
パスワードを忘れた場合: ${baseUrl}/reset_password

心当たりがない場合は、このメールを無視してください。`,
  ),
})

/** A link that makes an address that of an account. */
export const emailLetter = (username: string, url: string): Text => ({
  subject: words('kiroku: confirm this address', 'kiroku：メールアドレスの確認'),
  text: words(
    `The account ${username} is to have this address. Confirm it within an hour, signed in as ${username}:
${url}

If you do not know of this, there is nothing to do.`,
    `アカウント ${username} のメールアドレスをこのアドレスに変更します。${username} でログインした状態で、1時間以内に次のページで確認してください。
${url}

心当たりがない場合は、このメールを無視してください。`,
  ),
})

/** To somebody whose address was to become that of another account. */
export const addressTakenLetter = (username: string): Text => ({
  subject: words('kiroku: this address is in use', 'kiroku：このアドレスは使用中です'),
  text: words(
    `Somebody, most likely you, wanted to use this address for another account. It is that of ${username}, and stays so.

If it was not you, there is nothing to do.`,
    `このメールアドレスを別のアカウントで使うリクエストがありましたが、すでにアカウント ${username} で使われているため、変更していません。

心当たりがない場合は、このメールを無視してください。`,
  ),
})

/** To the address an account had until now. */
export const emailChangedLetter = (username: string, baseUrl: string): Text => ({
  subject: words('kiroku: your address was changed', 'kiroku：メールアドレスが変更されました'),
  text: words(
    `The account ${username} at ${baseUrl} has another e-mail address now.

If it was not you, tell the administrator of the site at once.`,
    `${baseUrl} のアカウント ${username} のメールアドレスが変更されました。

心当たりがない場合は、すぐにサイトの管理者に連絡してください。`,
  ),
})

/** To the owner of an account whose password was changed. */
export const passwordChangedLetter = (username: string, baseUrl: string): Text => ({
  subject: words('kiroku: your password was changed', 'kiroku：パスワードが変更されました'),
  text: words(
    `The password of the account ${username} at ${baseUrl} was changed.

If it was not you, choose a new one at ${baseUrl}/reset_password and tell the administrator of the site.`,
    `${baseUrl} のアカウント ${username} のパスワードが変更されました。

心当たりがない場合は、${baseUrl}/reset_password で新しいパスワードを設定し、サイトの管理者に連絡してください。`,
  ),
})

/** To the owner of an account whose two-step verification was turned on. */
export const twoStepOnLetter = (username: string, baseUrl: string): Text => ({
  subject: words('kiroku: two-step verification was turned on', 'kiroku：2段階認証が有効になりました'),
  text: words(
    `Two-step verification was turned on for the account ${username} at ${baseUrl}. Signing in now takes a code as well.

If it was not you, tell the administrator of the site at once.`,
    `${baseUrl} のアカウント ${username} の2段階認証が有効になりました。今後のログインには、パスワードに加えてコードが必要です。

心当たりがない場合は、すぐにサイトの管理者に連絡してください。`,
  ),
})

/** To the owner of an account whose two-step verification was turned off. */
export const twoStepOffLetter = (username: string, baseUrl: string): Text => ({
  subject: words('kiroku: two-step verification was turned off', 'kiroku：2段階認証が無効になりました'),
  text: words(
    `Two-step verification was turned off for the account ${username} at ${baseUrl}. The password alone now signs in.

If it was not you, choose a new password at ${baseUrl}/reset_password and tell the administrator of the site.`,
    `${baseUrl} のアカウント ${username} の2段階認証が無効になりました。今後はパスワードだけでログインできます。

心当たりがない場合は、${baseUrl}/reset_password で新しいパスワードを設定し、サイトの管理者に連絡してください。`,
  ),
})

/** To the owner of an account whose recovery codes were replaced. */
export const recoveryCodesLetter = (username: string, baseUrl: string): Text => ({
  subject: words('kiroku: you have new recovery codes', 'kiroku：リカバリーコードが再作成されました'),
  text: words(
    `New recovery codes were made for the account ${username} at ${baseUrl}. The former ones no longer work.

If it was not you, choose a new password at ${baseUrl}/reset_password and tell the administrator of the site.`,
    `${baseUrl} のアカウント ${username} のリカバリーコードが再作成されました。以前のコードは使えません。

心当たりがない場合は、${baseUrl}/reset_password で新しいパスワードを設定し、サイトの管理者に連絡してください。`,
  ),
})
