import { statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import type { Season } from '../parts/season'
import { type Choice, media, seasonPath } from './choice'

export interface Count {
  readonly media: string
  readonly status: string
  readonly count: number
}

interface Filters {
  readonly season: Season
  readonly choice: Choice
  readonly counts: readonly Count[]
}

/** Chips with the number of works each leaves, and grid or list. A chip that leaves none is shown only while chosen. */
export function filters(visit: Visit, { season, choice, counts }: Filters): Markup {
  const { t, basePath } = visit
  const link = (change: Partial<Choice>) => `${basePath}${seasonPath(season, choice, change)}`
  const chip = (name: string, change: Partial<Choice>, isOn: boolean) => {
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

export const countOf = (counts: readonly Count[], { media, status }: Pick<Choice, 'media' | 'status'>) =>
  counts
    .filter((one) => (media === '' || one.media === media) && (status === '' || one.status === status))
    .reduce((sum, { count }) => sum + count, 0)

function viewSwitch({ t, basePath }: Visit, { season, choice }: Omit<Filters, 'counts'>): Markup {
  const link = (view: Choice['view']) =>
    html`<a href="${basePath}${seasonPath(season, choice, { view })}" aria-label="${t.seasons[view]}"${view === choice.view ? html` aria-current="true"` : ''}>${icon(view === 'grid' ? 'grid' : 'lines')}</a>`
  return html`<div class="segments" role="group" aria-label="${t.common.view}">${link('grid')}${link('list')}</div>`
}
