import { words } from '../lib/words'
import { outOfBand } from '../oauth/redirect-uri'
import type { Registration } from '../oauth/registration'
import { checkbox, linesField, textField, type ValuesOf } from '../web/fields'
import { scopeField } from './scope-options'

/** What the owner of an application says of it; `name` and `redirect_uri` are checked where it is kept. */
export const applicationFields = {
  name: textField({
    label: words('Name', '名前'),
    hint: words('People see it when they are asked for consent.', '許可を求める画面に表示されます。'),
    limit: 500,
  }),
  redirect_uri: linesField({
    label: words('Redirect URIs', 'リダイレクト URI'),
    hint: words(
      `One per line. ${outOfBand} shows the code for somebody to copy.`,
      `1行に1つずつ入力します。${outOfBand} を使うと、コピー用にコードを画面に表示します。`,
    ),
    limit: 50_000,
  }),
  scopes: scopeField(words('The most it may ask for', '要求できる最大のスコープ')),
}

export const deviceField = checkbox({
  label: words('It signs in on devices without a browser', 'ブラウザーのない機器でも使う'),
  hint: words(
    'It may use the device authorization grant: people type a short code on another device.',
    'デバイス認可グラントを使えるようにします。利用者は別の機器で短いコードを入力します。',
  ),
})

/** What the form says, as it is registered. */
export const registrationOf = (
  values: ValuesOf<typeof applicationFields & { device_grant: typeof deviceField }>,
): Registration => ({
  name: values.name,
  redirectUris: values.redirect_uri,
  scope: values.scopes,
  hasDeviceGrant: values.device_grant,
})
