import { pageHeaders } from '../http/headers'
import { basePathOf } from '../lib/base-path'
import { assetPath } from '../pages/assets'

export const assetPaths = {
  script: '/docs/assets/swagger-ui-bundle.js',
  style: '/docs/assets/swagger-ui.css',
  returned: '/docs/assets/oauth2-redirect.js',
}

/** Redirect URI of the documentation page, to be registered by its users. */
export const oauthRedirectPath = '/docs/oauth2-redirect.html'

export interface InlineScript {
  readonly inline: string
  /** Hash of the script, for a CSP. */
  readonly hash: string
}

export function startScript(baseUrl: string): InlineScript {
  const options = {
    url: `${basePathOf(baseUrl)}/openapi.json`,
    dom_id: '#swagger-ui',
    // Without this, swagger-ui sends the document to a public validator.
    validatorUrl: 'none',
    tryItOutEnabled: true,
    oauth2RedirectUrl: baseUrl + oauthRedirectPath,
  }
  const inline = `SwaggerUIBundle(${JSON.stringify(options).replaceAll('<', '\\u003c')})`
  return { inline, hash: hashOf(inline) }
}

/** A page that passes the authorization code to the page that opened it, and closes itself. */
export function oauthRedirectPage(baseUrl: string): Response {
  const basePath = basePathOf(baseUrl)
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>kiroku API</title>' +
    `<link rel="icon" href="${basePath}${assetPath('icon.svg')}" /></head>` +
    `<body><h1>kiroku API</h1><script src="${basePath}${assetPaths.returned}"></script></body></html>`
  return new Response(html, { headers: pageHeaders() })
}

const hashOf = (script: string) =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`
