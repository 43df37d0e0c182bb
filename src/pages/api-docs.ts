import { html, Markup } from './html'
import type { Look, Shown } from './layout'

/** What runs the reference inside the page: a script, and the directives under which it runs. */
interface Reference {
  readonly inline: string
  readonly policy: string
}

/** The API's documentation: what to know first, in the reader's language, and the reference, which is in English. */
export function apiDocsPage(look: Look, baseUrl: string, { inline, policy }: Reference): Shown {
  const { say, basePath } = look
  const title = say('API', 'API')
  return {
    title,
    scripts: policy,
    drawsMain: true,
    head: html`<link rel="stylesheet" href="${basePath}/docs/assets/swagger-ui.css" />
    <link rel="stylesheet" href="${basePath}/assets/api.css" />
    <script src="${basePath}/assets/api.js" type="module"></script>`,
    main: html`
      <section aria-labelledby="api">
      <h1 id="api">${say('The API', 'API ドキュメント')}</h1>
      ${introduction(look, baseUrl)}
      <h2>${say('Reference', 'リファレンス')}</h2>
      ${look.language === 'ja' ? html`<p>リファレンスは英語です。</p>` : ''}
      <noscript><p class="notice">${say('The reference needs JavaScript; the document behind it does not:', 'リファレンスの表示には JavaScript が必要です。元の文書はこちらです：')} <a href="${basePath}/openapi.json">openapi.json</a></p></noscript>
      </section>
      <div class="scroll" id="swagger-ui" lang="en"></div>
      <script src="${basePath}/docs/assets/swagger-ui-bundle.js"></script>
      <script>${new Markup(inline)}</script>`,
  }
}

function introduction({ say, basePath }: Look, baseUrl: string): Markup {
  const link = (path: string, label: string) => html`<a href="${basePath}${path}">${label}</a>`
  return html`
    <p>${say(
      'The REST API speaks the v1 dialect of Annict: clients for Annict work once they use this address. Every endpoint takes an access token, lists come in pages, and fields picks what is returned.',
      'Annict の v1 と同じ REST API です。Annict 用のクライアントは、接続先のアドレスを変えるだけで使えます。すべてのエンドポイントにアクセストークンが必要で、一覧はページに分かれ、fields で返す項目を選べます。',
    )}</p>
    <ul>
      <li>${say('Base address:', 'ベース URL：')} <code>${baseUrl}/v1</code></li>
      <li>${say('Make a token:', 'トークンの作成：')} ${link('/settings/tokens', say('Access tokens', 'アクセストークン'))}</li>
      <li>${say('Register an application:', 'アプリケーションの登録：')} ${link('/oauth/applications', say('Your applications', '自分のアプリケーション'))}${say(
        '. To try it out on this page, its redirect URI is ',
        '。このページで試すときのリダイレクト URI：',
      )}<code>${baseUrl}/docs/oauth2-redirect.html</code></li>
      <li>${say('When something is refused:', 'エラーについて：')} ${link('/docs/errors', say('Errors of the API', 'API のエラー'))}</li>
      <li>${say('For programs:', 'プログラム向け：')} <a href="${basePath}/openapi.json">openapi.json</a> (OpenAPI 3.1)</li>
    </ul>
    <p>${say(
      'To try an endpoint out, press “Authorize” and paste a token, open the endpoint and press “Execute”. Anything Annict does not have is marked as an extension.',
      'エンドポイントを試すには、「Authorize」を押してトークンを入力し、エンドポイントを開いて「Execute」を押します。Annict にないものは Extension と表示されます。',
    )}</p>`
}
