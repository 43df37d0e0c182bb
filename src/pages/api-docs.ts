import { assetPath } from './assets'
import { html, Markup } from './html'
import type { PageContent, PageContext } from './layout'

interface Reference {
  readonly inline: string
  readonly hash: string
}

export function apiDocsPage(
  pageContext: PageContext,
  baseUrl: string,
  { inline, hash }: Reference,
): PageContent {
  const { t, basePath } = pageContext
  const title = t.apiDocs.title
  return {
    title,
    scripts: [hash],
    rendersMain: true,
    head: html`<link rel="stylesheet" href="${basePath}/docs/assets/swagger-ui.css" />
    <link rel="stylesheet" href="${basePath}${assetPath('api.css')}" />
    <script src="${basePath}${assetPath('api.js')}" type="module"></script>`,
    main: html`
      <section aria-labelledby="api">
      <h1 id="api">${title}</h1>
      ${introduction(pageContext, baseUrl)}
      <h2>${t.apiDocs.reference}</h2>
      ${t.apiDocs.referenceLanguage === '' ? '' : html`<p>${t.apiDocs.referenceLanguage}</p>`}
      <noscript><p class="notice">${t.apiDocs.needsScript} <a href="${basePath}/openapi.json">openapi.json</a></p></noscript>
      </section>
      <div class="scroll" id="swagger-ui" lang="en"></div>
      <script src="${basePath}/docs/assets/swagger-ui-bundle.js"></script>
      <script>${new Markup(inline)}</script>`,
  }
}

function introduction({ t, basePath }: PageContext, baseUrl: string): Markup {
  const link = (path: string, label: string) => html`<a href="${basePath}${path}">${label}</a>`
  return html`
    <p>${t.apiDocs.explained}</p>
    <ul>
      <li>${t.apiDocs.baseUrl} <code>${baseUrl}/v1</code></li>
      <li>${t.apiDocs.graphql} <code>POST ${baseUrl}/graphql</code></li>
      <li>${t.apiDocs.graphiql} ${link('/graphql', t.graphiql.title)}</li>
      <li>${t.apiDocs.createToken} ${link('/settings/tokens', t.tokens.title)}</li>
      <li>${t.apiDocs.register} ${link('/oauth/applications', t.applications.title)}</li>
      <li>${t.apiDocs.redirectUri} <code>${baseUrl}/docs/oauth2-redirect.html</code></li>
      <li>${t.apiDocs.errors} ${link('/docs/errors', t.apiErrors.title)}</li>
      <li>${t.apiDocs.forPrograms} <a href="${basePath}/openapi.json">openapi.json</a> (OpenAPI 3.1)</li>
    </ul>
    <p>${t.apiDocs.tryOut}</p>`
}
