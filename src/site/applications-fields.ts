import { type FieldProblem, problemsOf } from '../lib/field-problem'
import { words } from '../lib/words'
import { outOfBand } from '../oauth/redirect-uri'
import { registeredName } from '../oauth/registered-name'
import { checkedUris, type Registration } from '../oauth/registration'
import { checkbox, checked, linesField, textField, type ValuesOf } from '../web/fields'
import type { Visit } from '../web/visit'
import { scopeField } from './scope-options'

/** What the owner of an application says of it. */
export const applicationFields = {
  name: checked(
    textField({
      label: words('Name', '名前'),
      hint: words('People see it when they are asked for consent.', '許可を求める画面に表示されます。'),
      limit: 500,
    }),
    registeredName,
  ),
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

/** What is wrong with the redirect URIs: that depends on whether the instance has TLS (D57). */
export const redirectUriProblems = (
  { deps }: Visit,
  { redirect_uri: text }: { readonly redirect_uri?: string },
): readonly FieldProblem[] =>
  text === undefined ? [] : problemsOf(() => checkedUris(text, deps.config.baseUrl))

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
