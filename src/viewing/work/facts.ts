import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { partialDate } from '../../pages/partial-date'
import { seasonName } from '../parts/season-name'
import { externalLinks } from './links'
import type { WorkView } from './view'

export async function workFacts(view: WorkView): Promise<Markup> {
  const { visit, work, progress } = view
  const { pageContext } = visit
  const { t } = pageContext
  const { episodes, isEstimated } = progress
  const count = isEstimated ? t.strip.about(episodes.length) : t.work.episodeCount(episodes.length)
  const links = await externalLinks(view)
  const rows: readonly (readonly [string, string | Markup | readonly Markup[]])[] = [
    [t.work.medium, mediumName(pageContext, work.media)],
    [t.work.seasonTitle, seasonName(pageContext, work)],
    [t.strip.title, episodes.length === 0 ? '' : count],
    [
      work.media === 'tv' ? t.work.aired : t.work.released,
      work.released_on === '' ? '' : partialDate(pageContext, work.released_on),
    ],
    [t.work.watchers, work.watchers_count === 0 ? '' : t.work.people(work.watchers_count)],
    [t.work.links, links],
  ]
  const shown = rows.filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0))
  return html`<section class="facts"><h2 class="unseen">${t.work.facts}</h2><dl>${shown.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl></section>`
}

export const mediumName = ({ t }: PageContext, medium: string): string =>
  isMedium(t.media, medium) ? t.media[medium] : medium

const isMedium = (words: PageContext['t']['media'], medium: string): medium is keyof typeof words =>
  medium in words
