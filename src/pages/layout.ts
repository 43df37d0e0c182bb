import { pageHeaders } from '../http/headers'
import type { Messages } from '../messages/en'
import { type Language, languages, messagesIn } from '../messages/languages'
import { html, type Markup } from './html'

/** What every page is laid out with. */
export interface PageContext {
  /** The path the instance lives under, without a slash at the end. */
  readonly basePath: string
  readonly language: Language
  readonly t: Messages
  /** In epoch milliseconds: what times are told from. */
  readonly now: number
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
export interface PageContent {
  readonly title: string
  readonly main: Markup
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly formTargets?: readonly string[]
  /** What the page loads besides the style of all, and the directives under which it may. */
  readonly head?: Markup
  readonly scripts?: string
  /** For a page whose scripts draw its main part themselves: there is one to a page. */
  readonly drawsMain?: true
}

/** A whole page around its main part. */
export function page(pageContext: PageContext, shown: PageContent): Response {
  const { title, main, status = 200, headers, formTargets, head = '' } = shown
  const { basePath, language, t } = pageContext
  // No other page runs a script.
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
    ${shown.drawsMain ? html`<div id="main">${main}</div>` : html`<main id="main">${main}</main>`}
    <footer>
      <a href="${basePath}/docs">API</a>
      <a href="${basePath}/about">${t.layout.about}</a>
      ${otherLanguages(pageContext)}
    </footer>
  </body>
</html>
`
  const scripts = shown.scripts ?? (hasTimes ? "script-src 'self'; " : '')
  return new Response(text, { status, headers: { ...pageHeaders({ scripts, formTargets }), ...headers } })
}

/** Puts the times on the page into the reader's zone, with the words of the page's language. */
function timesScript({ basePath, t: { language } }: PageContext): Markup {
  const pattern = language.dayAndTime('{day}', '{time}')
  return html`<script src="${basePath}/assets/times.js" type="module" data-locale="${language.locale}" data-day-and-time="${pattern}"></script>`
}

/** The name of the site and, for whoever is signed in, theirs and where to go. */
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

/** A link to every other language, in that language: who needs it reads no other. */
const otherLanguages = ({ basePath, language }: PageContext): readonly Markup[] =>
  languages
    .filter((other) => other !== language)
    .map(
      (other) =>
        html`<a href="${basePath}/language?to=${other}" lang="${other}" hreflang="${other}">${messagesIn(other).language.name}</a>`,
    )
