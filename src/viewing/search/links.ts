import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { type Asked, searchPath } from './asked'
import type { Found } from './found'

/** A link per kind of results, with their number. */
export function kindLinks({ t, basePath }: Visit, asked: Asked, found: Found): Markup {
  const links = found.counts.map(([kind, count]) => {
    const path = searchPath({ ...asked, kind, page: 1 })
    const figure = count === undefined ? '' : html` <span class="figure">${t.search.figure(count)}</span>`
    const current = kind === asked.kind ? html` aria-current="page"` : ''
    return html`<a class="chip" href="${basePath}${path}"${current}>${t.search.kinds[kind]}${figure}</a>`
  })
  return html`<nav class="chips" aria-label="${t.search.kindsTitle}">${links}</nav>`
}

/** Links to the pages before and after, if there are several. */
export function pageLinks({ t, basePath }: Visit, asked: Asked, { page, pages }: Found): Markup {
  if (pages === 1) return html``
  const to = (other: number) => `${basePath}${searchPath({ ...asked, page: other })}`
  const before =
    page === 1
      ? ''
      : html`<a class="button small" rel="prev" href="${to(page - 1)}">${icon('back', 16)}${t.common.previous}</a>`
  const after =
    page === pages
      ? ''
      : html`<a class="button small" rel="next" href="${to(page + 1)}">${t.common.next}${icon('next', 16)}</a>`
  return html`<nav class="turn" aria-label="${t.search.pagesTitle}">${before}<span class="meta">${t.search.page(page, pages)}</span>${after}</nav>`
}
