import { pageHeaders } from '../http/headers'

/** Where the documentation page's scripts and style sheet are served. */
export const assetPaths = {
  script: '/docs/assets/swagger-ui-bundle.js',
  style: '/docs/assets/swagger-ui.css',
  returned: '/docs/assets/oauth2-redirect.js',
}

/** Where consent leads back to that somebody gave from the documentation page: the redirect_uri to be registered. */
export const returnPath = '/docs/oauth2-redirect.html'

/** A whole page and its headers. */
export interface ReturnPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** What runs the plugin's page inside ours. */
export interface ApiScripts {
  /** The script that starts it, and the directives under which a page may run that and nothing else inline. */
  readonly inline: string
  readonly policy: string
}

/**
 * The script of the plugin's page, which names the document of this instance. Its markup is left out: it would load
 * scripts from a public network, and have neither our header nor a language or a dark side.
 */
export async function apiScripts(pluginPage: Response, basePath: string): Promise<ApiScripts> {
  const html = await pluginPage.text()
  const [, inline = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? []
  // The page is served as /docs/ too, from where a relative address would lead elsewhere.
  const own = inline.replace('"url":"openapi.json"', `"url":"${basePath}/openapi.json"`)
  if (!own.includes('SwaggerUIBundle')) throw new Error('the documentation page has no script that starts it')
  return { inline: own, policy: `script-src 'self' ${hashOf(own)}; connect-src 'self'; ` }
}

/** The page that hands a code to the documentation page, which opened it, and closes. */
export const returnPage = (basePath: string): ReturnPage => ({
  html:
    '<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>kiroku API</title>' +
    `<link rel="icon" href="${basePath}/assets/icon.svg" /></head>` +
    `<body><h1>kiroku API</h1><script src="${basePath}${assetPaths.returned}"></script></body></html>`,
  headers: pageHeaders({ scripts: "script-src 'self'; " }),
})

const hashOf = (script: string) =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`
