import { pageHeaders } from '../http/headers'
import type { Messages } from '../messages/en'
import { type Language, languages, messagesIn } from '../messages/languages'
import { html, type Markup } from './html'

export interface PageContext {
  /** Without a slash at the end. */
  readonly basePath: string
  readonly language: Language
  readonly t: Messages
  /** Epoch milliseconds. */
  readonly now: number
  readonly member: Member | undefined
}

export interface Member {
  readonly username: string
  readonly isAdmin: boolean
  readonly csrf: string
}

/** `formTargets`: other origins that its forms may redirect to. */
export interface PageContent {
  readonly title: string
  readonly main: Markup
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly formTargets?: readonly string[]
  /** `scripts`: the CSP directives that `head` needs. */
  readonly head?: Markup
  readonly scripts?: string
  /** Its scripts draw the `main` element themselves. */
  readonly rendersMain?: true
}

export function renderPage(pageContext: PageContext, content: PageContent): Response {
  const { title, main, status = 200, headers, formTargets, head = '' } = content
  const { basePath, language, t } = pageContext
  // Only pages with times run the script.
  const hasTimes = main.text.includes('<time ')
  const { text } = html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title === 'kiroku' ? title : `${title} · kiroku`}</title>
    <link rel="icon" href="${basePath}/assets/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${basePath}/assets/style.css" />
    ${hasTimes ? timesScript(pageContext) : ''}
    ${head}
  </head>
  <body>
    <a class="skip" href="#main">${t.layout.skip}</a>
    ${header(pageContext)}
    ${content.rendersMain ? html`<div id="main">${main}</div>` : html`<main id="main">${main}</main>`}
    <footer>
      <a href="${basePath}/docs">API</a>
      <a href="${basePath}/about">${t.layout.about}</a>
      ${otherLanguages(pageContext)}
    </footer>
  </body>
</html>
`
  const scripts = content.scripts ?? (hasTimes ? "script-src 'self'; " : '')
  return new Response(text, { status, headers: { ...pageHeaders({ scripts, formTargets }), ...headers } })
}

function timesScript({ basePath, t: { language } }: PageContext): Markup {
  const pattern = language.dayAndTime('{day}', '{time}')
  return html`<script src="${basePath}/assets/times.js" type="module" data-locale="${language.locale}" data-day-and-time="${pattern}"></script>`
}

function header({ basePath, t, member }: PageContext): Markup {
  const link = (path: string, label: string) => html`<a href="${basePath}${path}">${label}</a>`
  const name = html`<a class="name" href="${basePath}/">kiroku <span lang="ja">記録</span></a>`
  if (member === undefined)
    return html`<header>${name}<nav aria-label="${t.layout.account}">${link('/sign_in', t.signIn.title)}</nav></header>`
  return html`<header>
      ${name}
      <a class="who" href="${basePath}/settings/profile">${member.username}</a>
      <nav aria-label="${t.layout.account}">
        ${member.isAdmin ? link('/admin', t.admin.title) : ''}
        ${link('/settings', t.settings.title)}
        <form method="post" action="${basePath}/sign_out">
          <input type="hidden" name="csrf" value="${member.csrf}" />
          <button class="plain">${t.signIn.signOut}</button>
        </form>
      </nav>
    </header>`
}

const otherLanguages = ({ basePath, language }: PageContext): readonly Markup[] =>
  languages
    .filter((other) => other !== language)
    .map(
      (other) =>
        html`<a href="${basePath}/language?to=${other}" lang="${other}" hreflang="${other}">${messagesIn(other).language.name}</a>`,
    )
