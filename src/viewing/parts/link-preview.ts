import { html, type Markup } from '../../pages/html'
import type { Visit } from '../../web/visit'

interface Preview {
  readonly title: string
  readonly description: string
  readonly type: 'website' | 'profile' | 'video.tv_show' | 'video.movie' | 'video.episode'
  /** Below the base URL, such as `/works/5`. */
  readonly path: string
  /** Of a real cover; other pictures are drawings, which no network shows. */
  readonly cover?: string | null
}

/** What others show of a link to the page (https://ogp.me): for visitors, since nobody who asks for it signs in. */
export function linkPreview(visit: Visit, { title, description, type, path, cover = null }: Preview): Markup {
  const { deps, t, session } = visit
  const { baseUrl, publicCatalogue } = deps.config
  if (session !== undefined || !publicCatalogue) return html``
  const facts: readonly (readonly [string, string])[] = [
    ['og:title', title],
    ['og:type', type],
    ['og:url', baseUrl + path],
    ['og:site_name', 'kiroku'],
    ['og:description', description],
    ['og:locale', t.language.locale.replace('-', '_')],
    ...(cover === null ? [] : ([['og:image', `${baseUrl}/images/${cover}-640.webp`]] as const)),
  ]
  const tags = facts.map(([property, content]) =>
    content === '' ? html`` : html`<meta property="${property}" content="${content}" />`,
  )
  return html`${tags}<meta name="twitter:card" content="summary" />`
}
