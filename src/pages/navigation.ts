import { assetPath } from './assets'
import { userAvatar } from './avatar'
import { html, type Markup } from './html'
import { icon } from './icons'
import type { Member, NavigationPlace, PageContent, PageContext, SearchField } from './layout'

/** The bar above a page; for members it includes the navigation, which is at the bottom on a phone. */
export function topBar(pageContext: PageContext, content: Bar): Markup {
  const { basePath } = pageContext
  return html`<header class="top"><div class="top-inner">
      <a class="brand" href="${basePath}/"><img src="${basePath}${assetPath('icon.svg')}" alt="" width="26" height="26" />kiroku</a>
      ${content.isBare ? '' : barContent(pageContext, content)}
    </div></header>`
}

type Bar = Pick<PageContent, 'place' | 'isBare' | 'search'>

function barContent(pageContext: PageContext, { place, search }: Bar): Markup {
  const { member, basePath, t } = pageContext
  if (member === undefined)
    return html`<a class="top-link" href="${basePath}/seasons/now">${t.shell.find}</a>
      <a class="top-link sign-in" href="${basePath}/sign_in">${t.signIn.title}</a>`
  return html`${navigation(pageContext, member, place)}
      ${searchForm(pageContext, search, place === 'find')}
      ${accountMenu(pageContext, member)}`
}

function navigation(
  { t, basePath }: PageContext,
  { username, unread }: Member,
  place: NavigationPlace | undefined,
): Markup {
  // Their keys are g and the first letter.
  const link = (name: NavigationPlace, path: string) => {
    const current = name === place ? html` aria-current="page"` : ''
    const news = name === 'me' ? badge(t, unread) : ''
    return html`<a href="${basePath}${path}"${current} data-keys="g ${name[0] ?? ''}">${icon(name)}${t.shell[name]}${news}</a>`
  }
  const links = [
    link('track', '/'),
    link('find', '/seasons/now'),
    link('library', `/@${username}/library/watching`),
    link('me', `/@${username}`),
  ]
  return html`<nav class="navigation" aria-label="${t.shell.navigation}">${links}</nav>`
}

/** How many notifications are new. */
const badge = (t: PageContext['t'], unread: number): Markup | '' =>
  unread === 0
    ? ''
    : html`<span class="badge">${unread < 100 ? unread : '99+'}</span><span class="unseen"> ${t.notifications.unread}</span>`

/** `search`: what the page shows results for. `isInstant`: results are shown while typing. */
export function searchForm(pageContext: PageContext, search?: SearchField, isInstant = true): Markup {
  const swap = isInstant ? '#found, #results' : undefined
  const kind = search?.kind ? html`<input type="hidden" name="kind" value="${search.kind}" />` : ''
  const hint = pageContext.t.shell.searchHint
  return searchField(pageContext, { path: '/search', text: search?.text, hint, swap, more: kind })
}

interface Field {
  /** Without the base path. */
  readonly path: string
  /** Undefined if the page is not about this search; '' if it is, but nothing has been typed yet. */
  readonly text: string | undefined
  readonly hint: string
  readonly swap?: string | undefined
  readonly more?: Markup | ''
}

export function searchField(
  { t, basePath }: PageContext,
  { path, text, hint, swap, more = '' }: Field,
): Markup {
  const instant = swap === undefined ? '' : html` data-instant data-swap="${swap}"`
  // Beside the search of the bar above, by a name of its own.
  const name = path === '/search' ? '' : html` aria-label="${hint}"`
  return html`<form class="search" role="search" action="${basePath}${path}"${instant}${name}>
        ${icon('find')}
        <input type="search" name="q" value="${text ?? ''}" aria-label="${t.common.search}" placeholder="${hint}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"${text === '' && path === '/search' ? html` autofocus` : ''} />
        <kbd aria-hidden="true">/</kbd>${more}
      </form>`
}

function accountMenu(pageContext: PageContext, member: Member): Markup {
  const { t, basePath } = pageContext
  const { username, isAdmin, csrf } = member
  // Without white space between them: this is on each page.
  const entries = [
    html`<a href="${basePath}/@${username}">${icon('me')}${username}</a>`,
    html`<a href="${basePath}/notifications">${icon('bell')}${t.activity.notifications}${badge(t, member.unread)}</a>`,
    html`<a href="${basePath}/calendar" data-keys="g c">${icon('calendar')}${t.calendar.title}</a>`,
    html`<a href="${basePath}/settings">${icon('settings')}${t.settings.title}</a>`,
    html`<a href="${basePath}/settings/import">${icon('upload')}${t.listImports.title}</a>`,
    html`<a href="${basePath}/settings/history">${icon('clock')}${t.history.title}</a>`,
    isAdmin ? html`<a href="${basePath}/admin">${icon('shield')}${t.admin.title}</a>` : html``,
    html`<hr />`,
    html`<form method="post" action="${basePath}/sign_out"><input type="hidden" name="csrf" value="${csrf}" /><button>${icon('leave')}${t.signIn.signOut}</button></form>`,
  ]
  return html`<details class="menu account" name="menu">
        <summary aria-label="${t.shell.menuOf(username)}">${userAvatar(pageContext, member)}${badge(t, member.unread)}</summary>
        <div class="entries">${entries}</div>
      </details>`
}
