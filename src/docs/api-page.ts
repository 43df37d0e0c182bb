import { pageHeaders } from '../http/headers'

/** Where the documentation page's scripts and style sheet are served. */
export const assetPaths = {
  script: '/docs/assets/swagger-ui-bundle.js',
  style: '/docs/assets/swagger-ui.css',
  returned: '/docs/assets/oauth2-redirect.js',
}

/** Where consent leads back to that somebody gave from the documentation page: the redirect_uri to be registered. */
export const returnPath = '/docs/oauth2-redirect.html'

export interface ApiPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The plugin's page, with its script and style taken from this instance instead of a public network, so that it
 * works offline and no request leaves the instance. The page allows exactly the scripts it has, by path and by hash.
 */
export async function apiPage(pluginPage: Response, basePath: string): Promise<ApiPage> {
  const html = await pageWithOwnScript(pluginPage, basePath)
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => hashOf(script))
  return {
    html,
    headers: pageHeaders({ scripts: `script-src 'self' ${inline.join(' ')}; connect-src 'self'; ` }),
  }
}

/** The page that hands a code to the documentation page, which opened it, and closes. */
export const returnPage = (basePath: string): ApiPage => ({
  html:
    '<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>kiroku API</title>' +
    `<link rel="icon" href="${basePath}/assets/icon.svg" /></head>` +
    `<body><h1>kiroku API</h1><script src="${basePath}${assetPaths.returned}"></script></body></html>`,
  headers: pageHeaders({ scripts: "script-src 'self'; " }),
})

async function pageWithOwnScript(pluginPage: Response, basePath: string): Promise<string> {
  const html = await pluginPage.text()
  const own = html
    .replace(/https:\/\/[^"]*swagger-ui-bundle\.js" crossorigin/, `${basePath}${assetPaths.script}"`)
    // The page is served as /docs/ too, from where a relative address would lead elsewhere.
    .replace('"url":"openapi.json"', `"url":"${basePath}/openapi.json"`)
  if (own.includes('https://unpkg.com'))
    throw new Error('the documentation page would load from a public network')
  return own.replace('</head>', `<link rel="icon" href="${basePath}/assets/icon.svg" /></head>`)
}

const hashOf = (script: string) =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`
