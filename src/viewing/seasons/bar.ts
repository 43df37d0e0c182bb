import { type StatusKind, statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { queryText, type Visit } from '../../web/visit'
import { type Season, seasonAfter, seasonNames, seasonText } from '../parts/season'

interface SeasonsView {
  readonly season: Season
  readonly choice: SeasonChoice
}

/** `Spring 2026`. */
export const seasonTitle = ({ t }: PageContext, { year, name }: Season): string =>
  name === undefined ? t.seasons.year(year) : t.seasons.title(year, t.seasons.names[name])

/** The previous season, this one, the next one, and a menu of the others. */
export function seasonBar(
  pageContext: PageContext,
  { season, choice }: SeasonsView,
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
const path = ({ basePath }: PageContext, season: Season, choice: SeasonChoice): string =>
  basePath + seasonPath(season, choice, { status: '' })

const media = ['tv', 'movie', 'web', 'ova', 'other'] as const
const sorts = ['known', 'start', 'title'] as const

/** The filters and the view in the address; '' for all. */
export interface SeasonChoice {
  readonly media: (typeof media)[number] | ''
  readonly status: StatusKind | 'none' | ''
  readonly sort: (typeof sorts)[number]
  readonly view: 'grid' | 'list'
}

/** Unknown values are ignored. Visitors have no statuses. */
export function readChoice(visit: Visit): SeasonChoice {
  const text = (name: string) => queryText(visit, name)
  const statuses = visit.session === undefined ? [] : (['none', ...statusKinds] as const)
  return {
    media: media.find((one) => one === text('media')) ?? '',
    status: statuses.find((one) => one === text('status')) ?? '',
    sort: sorts.find((one) => one === text('sort')) ?? 'known',
    view: text('view') === 'list' ? 'list' : 'grid',
  }
}

/** `/seasons/2026-autumn?media=tv`: only what differs from the default. */
export function seasonPath(season: Season, choice: SeasonChoice, change: Partial<SeasonChoice> = {}): string {
  const { media, status, sort, view } = { ...choice, ...change }
  const query = new URLSearchParams({
    ...(media && { media }),
    ...(status && { status }),
    ...(sort !== 'known' && { sort }),
    ...(view !== 'grid' && { view }),
  })
  return `/seasons/${seasonText(season)}${query.size === 0 ? '' : `?${query}`}`
}

const shortName = ({ t }: PageContext, { year, name }: Season): string =>
  name === undefined ? t.seasons.year(year) : t.seasons.names[name]

function seasonsOfYear(pageContext: PageContext, { season, choice }: SeasonsView): Markup {
  const { basePath, t } = pageContext
  const ofYear = [...seasonNames, undefined].map((name) => ({ year: season.year, name }))
  return html`<a href="${basePath}/seasons/now" data-keys="t">${t.seasons.now}</a><hr />${ofYear.map(
    (one) =>
      html`<a href="${path(pageContext, one, choice)}"${one.name === season.name ? html` aria-current="page"` : ''}>${one.name === undefined ? t.seasons.whole(one.year) : seasonTitle(pageContext, one)}</a>`,
  )}`
}

/** A relative link without filters, because there are more than a hundred. */
const yearLink = ({ season, choice }: SeasonsView, year: number): Markup =>
  html`<a href="${seasonText({ year, name: season.name })}${choice.view === 'list' ? '?view=list' : ''}">${String(year)}</a>`

interface Count {
  readonly media: string
  readonly status: string
  readonly count: number
}

interface Filters {
  readonly season: Season
  readonly choice: SeasonChoice
  readonly counts: readonly Count[]
}

/** Chips with the number of works each leaves, and grid or list. A chip that leaves none is shown only while chosen. */
export function filters(visit: Visit, { season, choice, counts }: Filters): Markup {
  const { t, basePath } = visit
  const link = (change: Partial<SeasonChoice>) => `${basePath}${seasonPath(season, choice, change)}`
  const chip = (name: string, change: Partial<SeasonChoice>, isOn: boolean) => {
    const count = countOf(counts, { ...choice, ...change })
    if (count === 0 && !isOn) return ''
    const off = Object.fromEntries(Object.keys(change).map((key) => [key, '']))
    return html`<a class="chip" href="${link(isOn ? off : change)}"${isOn ? html` aria-current="true"` : ''}>${name}<span class="amount">${String(count)}</span></a>`
  }
  const isAll = choice.media === '' && choice.status === ''
  const all = html`<a class="chip" href="${link({ media: '', status: '' })}"${isAll ? html` aria-current="true"` : ''}>${t.common.all}<span class="amount">${String(countOf(counts, { media: '', status: '' }))}</span></a>`
  const statuses = visit.session === undefined ? [] : (['none', ...statusKinds] as const)
  return html`<div class="chips">${viewSwitch(visit, { season, choice })}
    <nav id="filters" aria-label="${t.seasons.filter}">${all}${media.flatMap((one) => chip(t.media[one], { media: one }, choice.media === one) || [])}${statuses.flatMap(
      (one) =>
        chip(one === 'none' ? t.seasons.unchosen : t.statuses[one], { status: one }, choice.status === one) ||
        [],
    )}</nav></div>`
}

export const countOf = (
  counts: readonly Count[],
  { media, status }: Pick<SeasonChoice, 'media' | 'status'>,
) =>
  counts
    .filter((one) => (media === '' || one.media === media) && (status === '' || one.status === status))
    .reduce((sum, { count }) => sum + count, 0)

function viewSwitch({ t, basePath }: Visit, { season, choice }: Omit<Filters, 'counts'>): Markup {
  const link = (view: SeasonChoice['view']) =>
    html`<a href="${basePath}${seasonPath(season, choice, { view })}" aria-label="${t.seasons[view]}"${view === choice.view ? html` aria-current="true"` : ''}>${icon(view === 'grid' ? 'grid' : 'lines')}</a>`
  return html`<div class="segments" role="group" aria-label="${t.common.view}">${link('grid')}${link('list')}</div>`
}
