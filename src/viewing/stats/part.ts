import type { Maker } from '../../library/counting/makers'
import type { Statistics } from '../../library/counting/statistics'
import { html, type Markup } from '../../pages/html'
import { chosenTitle } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { workPath } from '../parts/cover'
import { fewest } from './charts'
import type { NamedWork } from './named-works'

/** What parts of the page name. */
export interface Names {
  /** Of a few of these works, those that have a page. */
  of(works: readonly number[]): readonly NamedWork[]
}

export interface PartsView {
  readonly visit: Visit
  readonly statistics: Statistics
  readonly names: Names
}

/** Of more works than this none is named. */
export const mostNamed = 10

export function part(title: string, aside: string, content: Markup): Markup {
  return html`<section class="part"><h2>${title}${aside === '' ? '' : html` <small>${aside}</small>`}</h2>${content}</section>`
}

/** Instead of a chart of fewer than five: what it would be of. */
export function few(
  { visit, names }: Pick<PartsView, 'visit' | 'names'>,
  name: string,
  works: readonly number[],
): Markup {
  const { t } = visit
  const links = names.of([...new Set(works)].slice(0, mostNamed)).map((work, at) => {
    const { text, lang } = chosenTitle(visit, work)
    return html`${at === 0 ? '' : t.stats.and}<a href="${workPath(visit, work.id)}" lang="${lang}">${text}</a>`
  })
  return html`<p class="soft few" data-few="${name}">${links}${links.length === 0 ? '' : t.stats.fewEnd}${t.stats.chartFrom(fewest)}</p>`
}

export const makerName = ({ preferences }: Visit, { name, name_en }: Maker): string =>
  preferences.titleLanguage === 'native' || name_en === '' ? name : name_en
