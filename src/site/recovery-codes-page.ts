import { html } from '../pages/html'
import type { Shown } from '../pages/layout'
import type { MemberVisit } from '../web/visit'

/** The recovery codes, shown this once, and the way on to `next`. */
export function recoveryCodesPage(
  { look: { say, basePath } }: MemberVisit,
  codes: readonly string[],
  next: string,
): Shown {
  const title = say('Your recovery codes', 'リカバリーコード')
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <div class="once">
        <p>${say(
          'Print them or keep them in a safe place, apart from your phone. Each lets you in once, in place of a code. They are shown this once and replace all earlier ones.',
          '印刷するなどして、スマートフォンとは別の安全な場所に保管してください。それぞれ1回だけ、コードの代わりに使えます。表示されるのはこの1回だけで、以前のリカバリーコードは使えなくなります。',
        )}</p>
        <ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
      </div>
      <p><a href="${basePath}${next}">${say('Done', '完了')}</a> ·
      <a href="${basePath}/settings/sessions">${say('Where you are signed in', 'ログイン中のブラウザー')}</a></p>`,
  }
}
