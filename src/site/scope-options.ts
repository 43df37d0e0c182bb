import type { TokenScope } from '../accounts/token'
import { type Words, words } from '../lib/words'
import { parseScope } from '../oauth/scope'
import { type Explained, type Field, radios } from '../web/fields'

/**
 * The scopes of D49 as a form offers them. The first, which asks for least, is what is meant when none is chosen, as
 * `kiroku token create` does (D69).
 */
const scopeOptions = {
  read: {
    label: words('Read', '読み取り'),
    hint: words(
      'See your profile, e-mail address, records, reviews, statuses, follows and notifications. It changes nothing.',
      'プロフィール、メールアドレス、記録、レビュー、ステータス、フォロー、通知を見ることができます。変更はできません。',
    ),
  },
  'read write': {
    label: words('Read and write', '読み取りと書き込み'),
    hint: words(
      'See all that, and make, change and delete records, reviews and statuses, follow, like and mute for you.',
      '上記に加えて、記録、レビュー、ステータスの作成・変更・削除、フォロー、いいね、ミュートができます。',
    ),
  },
  write: {
    label: words('Write', '書き込み'),
    hint: words(
      'Make, change and delete these, but see none of your data: for programs that only record.',
      '作成・変更・削除だけができ、データを見ることはできません。記録専用のプログラム向けです。',
    ),
  },
} satisfies Readonly<Record<TokenScope, Explained>>

/** A choice of scopes; programs that fill in the form may write them in any order, as everywhere (RFC 6749 §3.3). */
export function scopeField(label: Words): Field<TokenScope> {
  const field = radios<TokenScope>({ label, options: scopeOptions })
  return { ...field, read: (text) => field.read(parseScope(text) ?? text) }
}
