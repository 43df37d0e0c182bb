import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import type { Season } from '../parts/season'
import { type Choice, seasonPath } from './choice'

interface Place {
  readonly season: Season
  readonly choice: Choice
}

/** Nothing for a single page. */
export function pageLinks(
  { t, basePath }: PageContext,
  { season, choice }: Place,
  pages: number,
): Markup | '' {
  if (pages === 1) return ''
  const link = (page: number, name: string | Markup, label: string) => {
    const here = page === choice.page ? html` aria-current="page"` : ''
    return html`<a href="${basePath}${seasonPath(season, choice, { page })}" aria-label="${label}"${here}>${name}</a>`
  }
  const { page } = choice
  const numbers = Array.from({ length: pages }, (_, index) => index + 1).filter(
    (one) => one === 1 || one === pages || Math.abs(one - page) <= 2,
  )
  return html`<nav class="segments pages" aria-label="${t.seasons.pages}">${page > 1 ? link(page - 1, icon('back', 16), t.seasons.earlier) : ''}${numbers.map((one) => link(one, String(one), t.seasons.page(one)))}${page < pages ? link(page + 1, icon('next', 16), t.seasons.later) : ''}</nav>`
}
