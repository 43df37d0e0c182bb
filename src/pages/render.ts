import { type AnswerReader, bodyFor } from '../http/answers-in-flight'
import { compress, type Encoding } from '../http/compression'
import { pageHeaders } from '../http/headers'
import type { Messages } from '../messages/en'
import { languages, messagesIn } from '../messages/languages'
import { assetPath } from './assets'
import { backLink } from './choices'
import { html, type Markup } from './html'
import { speculationPath, themeColors } from './installed'
import type { PageContent, PageContext } from './layout'
import { topBar } from './navigation'
import { type TextName, textNames } from './script/text-names'

/** `encoding`: how the response may be compressed, which is not worth it below 1 KB. Throws as `bodyFor` does. */
export function renderPage(
  asked: PageContext,
  content: PageContent,
  { encoding, reader }: { readonly encoding: Encoding | undefined; readonly reader: AnswerReader },
): Response {
  const { status = 200, headers, formTargets, scripts, styles } = content
  const pageContext = content.isForNobody ? { ...asked, member: undefined } : asked
  const { text } = documentOf(pageContext, content)
  const own = {
    ...pageHeaders({ scripts, styles, formTargets }),
    ...deviceHeaders(pageContext, content),
    'Speculation-Rules': `"${pageContext.basePath}${speculationPath}"`,
    Vary: 'Accept-Encoding',
    ...headers,
  }
  const bytes = new TextEncoder().encode(text)
  if (encoding === undefined || bytes.length < 1024)
    return new Response(bodyFor(reader, bytes), { status, headers: own })
  const body = bodyFor(reader, compress(bytes, encoding))
  return new Response(body, { status, headers: { ...own, 'Content-Encoding': encoding } })
}

/** Whose page it is, and whether the worker (`script/worker`) may keep it (D109). */
const deviceHeaders = ({ basePath, member }: PageContext, { isKept, isForNobody }: PageContent) => ({
  ...(isForNobody ? {} : { 'X-Kiroku-User': String(member?.id ?? 0) }),
  // The worker of an instance at the root of the host also sees the pages of one below a path.
  ...(basePath !== '' && { 'X-Kiroku-Base': basePath }),
  ...(isKept && member && { 'X-Kiroku-Keep': '1' }),
})

function documentOf(pageContext: PageContext, content: PageContent): Markup {
  const { title, place, head = '' } = content
  const { basePath, language, t, member, toast = '' } = pageContext
  return html`<!doctype html>
<html lang="${language}" class="${rootClasses(pageContext)}" data-place="${place ?? ''}"${member === undefined ? '' : html` data-user="${member.id}"`}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>${title === 'kiroku' ? title : `${title} · kiroku`}</title>
    <link rel="icon" href="${basePath}${assetPath('icon.svg')}" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="${basePath}${assetPath('icon-180.png')}" />
    <link rel="manifest" href="${basePath}/manifest.webmanifest" crossorigin="use-credentials" />
    <meta name="theme-color" content="${themeColors.light}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${themeColors.dark}" media="(prefers-color-scheme: dark)" />
    <link rel="stylesheet" href="${basePath}${assetPath('style.css')}" />
    ${script(pageContext)}
    ${head}
  </head>
  <body>
    <a class="skip" href="#main">${t.layout.skip}</a>
    ${topBar(pageContext, content)}
    ${mainOf(pageContext, content)}
    <div id="toast" class="toasts" role="status">${toast}</div>
    ${member === undefined ? '' : html`<div class="pill-offline" role="status" hidden></div>`}
    ${foot(pageContext)}
  </body>
</html>
`
}

function mainOf(pageContext: PageContext, content: PageContent): Markup {
  const { main, back, backInApp, isBare, isWide, rendersMain } = content
  if (rendersMain) return html`<div id="main" class="page">${main}</div>`
  const inApp = backInApp && html`<div class="in-app">${backLink(pageContext, backInApp)}</div>`
  const above = back === undefined ? (inApp ?? '') : backLink(pageContext, back)
  const column = isBare && !isWide ? html`<div class="narrow">${main}</div>` : main
  return html`<main id="main" class="page">${above}${column}</main>`
}

function rootClasses({ preferences: { theme, hasKeys } }: PageContext): string {
  return `${theme}${hasKeys ? ' has-keys' : ''}`
}

/** `script/told.ts` reads its attributes. */
function script({ basePath, t, preferences, zoneCookie, hasOwnZone, hasWorker }: PageContext): Markup {
  const said = scriptTexts(t)
  const texts = textNames.map((name) => said[name]).join('|')
  const zone = hasOwnZone ? html` data-own-zone` : ''
  return html`<script src="${basePath}${assetPath('script.js')}" type="module" data-base="${basePath}" data-texts="${texts}" data-locale="${t.language.locale}" data-day-and-time="${t.language.dayAndTime('{day}', '{time}')}" data-zone="${preferences.timeZone}" data-zone-cookie="${zoneCookie}"${zone}${hasWorker ? html` data-worker` : ''}></script>`
}

const scriptTexts = (t: Messages): Readonly<Record<TextName, string>> => ({
  cancel: t.common.cancel,
  close: t.common.close,
  failed: t.common.sentences([t.shell.notSaved, t.shell.noAnswer]),
  again: t.common.again,
  show: t.shell.showPassword,
  copied: t.common.copied,
  copy: t.common.copy,
  undo: t.shell.undo,
  discard: t.phone.discard,
  offline: t.phone.offline,
  asOf: t.phone.asOf('{time}'),
  waiting: t.phone.waiting('{n}'),
  waits: t.phone.waits,
  sentSome: t.phone.sentSome('{n}'),
  needsOne: t.phone.needsYou(1, '{n}'),
  needsSome: t.phone.needsYou(2, '{n}'),
  signIn: t.phone.signIn,
  full: t.phone.full,
  online: t.phone.online,
  elsewhere: t.phone.elsewhere,
  addComment: t.phone.addComment,
  draft: t.phone.draft('{time}'),
  saved: t.phone.saved,
  leaving: t.phone.leaving('{n}'),
  sendNow: t.phone.sendNow,
  keepUntil: t.phone.keepUntil,
  throwAway: t.phone.throwAway,
})

/** On a phone it also leads to what larger screens have in the avatar's menu. */
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
