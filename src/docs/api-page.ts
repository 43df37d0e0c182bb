import { pageHeaders } from '../http/headers'
import { basePathOf } from '../lib/base-path'

/** Where the documentation page's scripts and style sheet are served. */
export const assetPaths = {
  script: '/docs/assets/swagger-ui-bundle.js',
  style: '/docs/assets/swagger-ui.css',
  returned: '/docs/assets/oauth2-redirect.js',
}

/** Where consent leads back to that somebody gave from the documentation page: the redirect_uri to be registered. */
export const returnPath = '/docs/oauth2-redirect.html'

/** A script inside the page, and the directives under which it may run and nothing else inline. */
export interface InlineScript {
  readonly inline: string
  readonly policy: string
}

/** The script that shows the document of this instance in the page's `#swagger-ui`. */
export function startScript(baseUrl: string): InlineScript {
  const options = {
    url: `${basePathOf(baseUrl)}/openapi.json`,
    dom_id: '#swagger-ui',
    // Keeps the page from asking a public validator about the document.
    validatorUrl: 'none',
    tryItOutEnabled: true,
    oauth2RedirectUrl: baseUrl + returnPath,
  }
  const inline = `SwaggerUIBundle(${JSON.stringify(options).replaceAll('<', '\\u003c')})`
  return { inline, policy: `script-src 'self' ${hashOf(inline)}; connect-src 'self'; ` }
}

/** The page that hands a code to the documentation page, which opened it, and closes. */
export function returnPage(baseUrl: string): Response {
  const basePath = basePathOf(baseUrl)
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>kiroku API</title>' +
    `<link rel="icon" href="${basePath}/assets/icon.svg" /></head>` +
    `<body><h1>kiroku API</h1><script src="${basePath}${assetPaths.returned}"></script></body></html>`
  return new Response(html, { headers: pageHeaders({ scripts: "script-src 'self'; " }) })
}

const hashOf = (script: string) =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`
