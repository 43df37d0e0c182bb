import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { type Asked, longestText, searchPath } from './asked'

/** What can be typed, each with an example to press. */
export function nothingTyped({ t, basePath }: Visit): Markup {
  const example = (text: string) =>
    html`<a class="chip" href="${basePath}${searchPath({ text, kind: 'works', page: 1 })}">${text}</a>`
  const way = ({ what, examples }: { what: string; examples: readonly string[] }) =>
    html`<div><dt>${what}</dt><dd>${examples.map(example)}</dd></div>`
  return html`<dl class="ways">${t.search.ways.map(way)}</dl>
    <p><a href="${basePath}/seasons/now">${t.search.toSeason}</a></p>`
}

export function nothingFound(visit: Visit, { kind }: Asked): Markup {
  const { t, basePath } = visit
  return html`<div class="nothing">${waves()}
      <h2>${t.search.nothing[kind]}</h2>
      <p>${kind === 'works' ? html`${t.search.tryWorks}${t.common.gap}${missing(visit)}` : t.search.tryNames}</p>
      <a href="${basePath}/seasons/now">${t.search.toSeason}</a>
    </div>`
}

/** Members cannot add works: says who does and how. */
export const missing = ({ t, session }: Visit): string =>
  session?.isAdmin ? t.search.missingForAdmin : t.search.missing

export function tooLong({ t }: Visit, { text }: Asked): Markup {
  return html`<div class="failed" role="alert">${icon('warning', 40)}
      <h2>${t.search.tooLong}</h2>
      <p>${t.search.limit(longestText, [...text].length)}</p>
    </div>`
}
