import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { type Season, seasonAfter, seasonNames, seasonText } from '../parts/season'
import { type Choice, seasonPath } from './choice'

interface Place {
  readonly season: Season
  readonly choice: Choice
}

/** `Spring 2026`. */
export const seasonTitle = ({ t }: PageContext, { year, name }: Season): string =>
  name === undefined ? t.seasons.year(year) : t.seasons.title(year, t.seasons.names[name])

/** The previous season, this one, the next one, and a menu of the others. */
export function seasonBar(
  pageContext: PageContext,
  { season, choice }: Place,
  years: readonly number[],
): Markup {
  const { t } = pageContext
  const link = (by: 1 | -1) => {
    const other = seasonAfter(season, by)
    if (other === undefined) return ''
    const [rel, key] = by === 1 ? ['next', ']'] : ['prev', '[']
    return html`<a href="${path(pageContext, other, choice)}" rel="${rel}" data-keys="${key}" aria-label="${seasonTitle(pageContext, other)}">${shortName(pageContext, other)}</a>`
  }
  return html`<div class="which"><nav class="segments" aria-label="${t.seasons.which}">${link(-1)}<span aria-current="page">${shortName(pageContext, season)}</span>${link(1)}</nav>
    <details class="menu" name="menu"><summary class="button small">${t.seasons.others}${icon('down', 14)}</summary>
    <nav class="entries" aria-label="${t.seasons.others}">${seasonsOfYear(pageContext, { season, choice })}<hr /><div class="years">${years.map((year) => yearLink({ season, choice }, year))}</div></nav></details></div>`
}

/** Without the status filter: another season starts unfiltered. */
const path = ({ basePath }: PageContext, season: Season, choice: Choice): string =>
  basePath + seasonPath(season, choice, { status: '' })

const shortName = ({ t }: PageContext, { year, name }: Season): string =>
  name === undefined ? t.seasons.year(year) : t.seasons.names[name]

function seasonsOfYear(pageContext: PageContext, { season, choice }: Place): Markup {
  const { basePath, t } = pageContext
  const ofYear = [...seasonNames, undefined].map((name) => ({ year: season.year, name }))
  return html`<a href="${basePath}/seasons/now" data-keys="t">${t.seasons.now}</a><hr />${ofYear.map(
    (one) =>
      html`<a href="${path(pageContext, one, choice)}"${one.name === season.name ? html` aria-current="page"` : ''}>${one.name === undefined ? t.seasons.whole(one.year) : seasonTitle(pageContext, one)}</a>`,
  )}`
}

/** A relative link without filters, because there are more than a hundred. */
const yearLink = ({ season, choice }: Place, year: number): Markup =>
  html`<a href="${seasonText({ year, name: season.name })}${choice.view === 'list' ? '?view=list' : ''}">${String(year)}</a>`
