import { pageHeaders } from '../http/headers'

/** Where the documentation page's script and style sheet are served. */
export const assetPaths = {
  script: '/docs/assets/swagger-ui-bundle.js',
  style: '/docs/assets/swagger-ui.css',
}

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
