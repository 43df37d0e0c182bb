import { pageHeaders } from '../http/headers'
import { html, type Markup } from './html'

/** What every page is laid out with. */
export interface Look {
  /** The path the instance lives under, without a slash at the end. */
  readonly basePath: string
}

/** A whole page around its main part. */
export function page({ basePath }: Look, title: string, main: Markup, status = 200): Response {
  const { text } = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="${basePath}/assets/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${basePath}/assets/style.css" />
  </head>
  <body>
    <header>
      <a class="name" href="${basePath}/">kiroku <span lang="ja">記録</span></a>
      <nav>
        <a href="${basePath}/docs">API</a>
        <a href="${basePath}/about">About</a>
      </nav>
    </header>
    <main>${main}</main>
  </body>
</html>
`
  return new Response(text, { status, headers: pageHeaders() })
}
