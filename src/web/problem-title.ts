import type { ErrorType } from '../http/errors'
import { type Words, words } from '../lib/words'

/** What a page says of an error that the API has too. */
export const titleOf = (type: ErrorType): Words => titles[type]

/** What a page says of an address that leads nowhere, or does not for now; undefined where the error itself says more. */
export const explanationOf = (type: ErrorType): Words | undefined => explanations[type]

const explanations: Partial<Record<ErrorType, Words>> = {
  unknown_route: words('No page has this address.', 'このアドレスのページはありません。'),
  not_found: words(
    'What this address led to does not exist, or does not any more.',
    'このアドレスの内容は存在しないか、削除されました。',
  ),
  rate_limited: words(
    'More pages were opened in a short time than one visitor reads. Wait a moment and open this one again.',
    '短時間に多くのページが開かれました。少し待ってから開き直してください。',
  ),
  method_not_allowed: words(
    'This address is there, but cannot be opened or sent to in this way.',
    'このアドレスはありますが、この方法で開いたり送信したりすることはできません。',
  ),
}

const titles: Readonly<Record<ErrorType, Words>> = {
  invalid_params: words('The request could not be understood', 'リクエストを理解できませんでした'),
  unauthorized: words('Sign-in is required', 'ログインが必要です'),
  forbidden: words('This is not allowed', '許可されていません'),
  unknown_route: words('There is nothing here', 'ページが見つかりません'),
  not_found: words('This does not exist', '存在しません'),
  method_not_allowed: words('This cannot be done here', 'この操作はここではできません'),
  payload_too_large: words('The request is too large', 'リクエストが大きすぎます'),
  rate_limited: words(
    'Too many requests; please wait a moment',
    'リクエストが多すぎます。少しお待ちください',
  ),
  internal_error: words('Something went wrong on the server', 'サーバーでエラーが発生しました'),
  service_unavailable: words('The server cannot do this right now', 'サーバーは現在この処理を行えません'),
}
