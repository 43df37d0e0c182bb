import { pageHeaders } from '../http/headers'
import { languages, messagesIn } from '../messages/languages'
import { assetPath } from './assets'
import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'
import { topBar } from './navigation'

export function renderPage(pageContext: PageContext, content: PageContent): Response {
  const { title, main, place, status = 200, headers, formTargets, scripts, head = '' } = content
  const { basePath, language, t, toast = '' } = pageContext
  const { text } = html`<!doctype html>
<html lang="${language}" class="${rootClasses(pageContext)}" data-place="${place ?? ''}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>${title === 'kiroku' ? title : `${title} · kiroku`}</title>
    <link rel="icon" href="${basePath}${assetPath('icon.svg')}" type="image/svg+xml" />
    <link rel="stylesheet" href="${basePath}${assetPath('style.css')}" />
    ${script(pageContext)}
    ${head}
  </head>
  <body>
    <a class="skip" href="#main">${t.layout.skip}</a>
    ${topBar(pageContext, place, content.isBare ?? false)}
    ${content.rendersMain ? html`<div id="main" class="page">${main}</div>` : html`<main id="main" class="page">${main}</main>`}
    <div id="toast" role="status">${toast}</div>
    ${foot(pageContext)}
  </body>
</html>
`
  return new Response(text, { status, headers: { ...pageHeaders({ scripts, formTargets }), ...headers } })
}

function rootClasses({ preferences: { theme, hasKeys } }: PageContext): string {
  return `${theme}${hasKeys ? ' has-keys' : ''}`
}

function script({ basePath, t: { language } }: PageContext): Markup {
  const pattern = language.dayAndTime('{day}', '{time}')
  return html`<script src="${basePath}${assetPath('times.js')}" type="module" data-locale="${language.locale}" data-day-and-time="${pattern}"></script>`
}

/** On a phone also the way to what a desk has under the avatar. */
function foot(pageContext: PageContext): Markup {
  const { basePath, t, member } = pageContext
  const link = (path: string, label: string) => html`<a href="${basePath}${path}">${label}</a>`
  return html`<footer class="foot">
      ${member === undefined ? '' : link('/settings', t.settings.title)}
      ${member?.isAdmin ? link('/admin', t.admin.title) : ''}
      ${link('/docs', 'API')}
      ${link('/about', t.layout.about)}
      ${otherLanguages(pageContext)}
    </footer>`
}

const otherLanguages = ({ basePath, language }: PageContext): readonly Markup[] =>
  languages
    .filter((other) => other !== language)
    .map(
      (other) =>
        html`<a href="${basePath}/language?to=${other}" lang="${other}" hreflang="${other}">${messagesIn(other).language.name}</a>`,
    )
