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
  /** Instead of a cover, one that is as wide as a link's preview. */
  readonly picture?: PreviewPicture
}

interface PreviewPicture {
  readonly path: string
  readonly type: string
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly alt: string
}

/** What others show of a link to the page (https://ogp.me): for visitors, since nobody who asks for it signs in. */
export function linkPreview(visit: Visit, preview: Preview): Markup {
  const { deps, t, session } = visit
  const { title, description, type, path, cover = null, picture } = preview
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
    ...(picture === undefined ? [] : pictureFacts(baseUrl, picture)),
  ]
  const tags = facts.map(([property, content]) =>
    content === '' ? html`` : html`<meta property="${property}" content="${content}" />`,
  )
  return html`${tags}<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}" />`
}

const pictureFacts = (baseUrl: string, { path, type, width, height, alt }: PreviewPicture) =>
  [
    ['og:image', baseUrl + path],
    ['og:image:type', type],
    ['og:image:width', String(width)],
    ['og:image:height', String(height)],
    ['og:image:alt', alt],
  ] as const
