import { pageHeaders } from '../http/headers'
import type { Language, Say } from '../lib/words'
import { html, type Markup } from './html'

/** What every page is laid out with. */
export interface Look {
  /** The path the instance lives under, without a slash at the end. */
  readonly basePath: string
  readonly language: Language
  readonly say: Say
  /** Who is signed in. */
  readonly member: Member | undefined
}

export interface Member {
  readonly username: string
  readonly isAdmin: boolean
  /** The proof that the forms on the page carry. */
  readonly csrf: string
}

/** What a page shows; `formTargets` are origins besides our own that its forms may lead to. */
export interface Shown {
  readonly title: string
  readonly main: Markup
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly formTargets?: readonly string[]
}

/** A whole page around its main part. */
export function page(look: Look, { title, main, status = 200, headers, formTargets }: Shown): Response {
  const { basePath, language, say } = look
  const { text } = html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title === 'kiroku' ? title : `${title} · kiroku`}</title>
    <link rel="icon" href="${basePath}/assets/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${basePath}/assets/style.css" />
  </head>
  <body>
    <a class="skip" href="#main">${say('Skip to the content', '本文へ移動')}</a>
    <header>
      <a class="name" href="${basePath}/">kiroku <span lang="ja">記録</span></a>
      <nav aria-label="${say('Account', 'アカウント')}">${accountLinks(look)}</nav>
    </header>
    <main id="main">${main}</main>
    <footer>
      <a href="${basePath}/docs">API</a>
      <a href="${basePath}/about">${say('About', 'このサイトについて')}</a>
      <a href="${basePath}/language">${say('Language: English', '言語：日本語')}</a>
    </footer>
  </body>
</html>
`
  return new Response(text, { status, headers: { ...pageHeaders({ formTargets }), ...headers } })
}

function accountLinks({ basePath, say, member }: Look): Markup {
  if (member === undefined) return html`<a href="${basePath}/sign_in">${say('Sign in', 'ログイン')}</a>`
  const admin = html`<a href="${basePath}/admin">${say('Administration', '管理')}</a>`
  return html`
    ${member.isAdmin ? admin : ''}
    <span><a href="${basePath}/settings/profile">${member.username}</a> ·
      <a href="${basePath}/settings">${say('Settings', '設定')}</a></span>
    <form method="post" action="${basePath}/sign_out">
      <input type="hidden" name="csrf" value="${member.csrf}" />
      <button class="plain">${say('Sign out', 'ログアウト')}</button>
    </form>`
}
