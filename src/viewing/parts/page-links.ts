import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'

/** The page number in a query: by default the first, at most the last. */
export const pageNumber = (text: string, pages: number): number =>
  Math.min(readIfValid(positiveInteger, text) ?? 1, Math.max(1, pages))

/** The only link of a list that goes on and on. `address`: with the base path. */
export const nextLink = (address: string, text: string): Markup =>
  html`<p><a class="button small" rel="next" href="${address}">${text}</a></p>`

/** `path` may have a query. Empty for a single page. `form`: the id of a form whose fields are sent to the other page. */
export function pageLinks(
  { t }: PageContext,
  path: string,
  { page, pages }: { page: number; pages: number },
  form?: string,
): Markup {
  if (pages <= 1) return html``
  const before = path.includes('?') ? '&' : '?'
  const link = (to: number, body: Markup) => {
    if (to < 1 || to > pages) return html`<span></span>`
    const target = `${path}${before}page=${to}`
    return form === undefined
      ? html`<a class="button small" href="${target}">${body}</a>`
      : html`<button class="small" form="${form}" formaction="${target}" data-show="#${form}">${body}</button>`
  }
  return html`<nav class="page-links" aria-label="${t.library.pages}">${link(page - 1, html`${icon('back', 14)}${t.common.previous}`)}<span class="meta">${t.library.pageOf(page, pages)}</span>${link(page + 1, html`${t.common.next}${icon('next', 14)}`)}</nav>`
}
