import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'

interface HomeCounts {
  readonly works: number
  readonly episodes: number
  readonly users: number
}

/** The front page: what this is, what it holds, where to go from here. */
export function homePage(pageContext: PageContext, counts: HomeCounts, isPublic: boolean): PageContent {
  const { t, basePath } = pageContext
  const main = html`
      <h1>${t.home.title}</h1>
      <p>${t.home.explained}</p>
      <p class="buttons"><a class="button filled" href="${basePath}/sign_in">${t.signIn.title}</a>
        ${isPublic ? html`<a class="button" href="${basePath}/seasons/now">${t.search.toSeason}</a>` : ''}</p>
      ${figures(pageContext, counts)}`
  return { title: 'kiroku', main }
}

const figures = ({ t }: PageContext, counts: HomeCounts): Markup => {
  const { format } = new Intl.NumberFormat(t.language.locale)
  return html`
      <dl class="figures">
        <div><dt>${t.home.works}</dt><dd>${format(counts.works)}</dd></div>
        <div><dt>${t.home.episodes}</dt><dd>${format(counts.episodes)}</dd></div>
        <div><dt>${t.home.users}</dt><dd>${format(counts.users)}</dd></div>
      </dl>`
}
