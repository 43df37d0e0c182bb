import { type CoveredWork, imagePath, madeCoverPath } from '../catalogue/cover-path'
import { html, type Markup } from '../pages/html'
import type { PageContext } from '../pages/layout'

const coverWidths = [160, 320, 640] as const

/** The smallest file that is sharp at two screen pixels per CSS pixel. */
const fileWidth = (width: number) => coverWidths.find((one) => one >= 2 * width) ?? 640

/** Decorative, since the title is next to it. `width` of the image on the page, in CSS pixels. */
export function coverMarkup({ basePath }: PageContext, work: CoveredWork, width: number): Markup {
  const { cover_hash } = work
  const size = html`width="${width}" height="${width * 1.5}" loading="lazy"`
  if (cover_hash === null)
    return html`<img class="cover" src="${basePath}${madeCoverPath(work)}" alt="" ${size} />`
  const url = (file: number) => basePath + imagePath(cover_hash, file)
  return html`<img class="cover" src="${url(fileWidth(width))}"${sources(url, width)} alt="" ${size} />`
}

/** Empty for a small image: the smallest file is sharp there on every screen. */
function sources(url: (width: number) => string, width: number): Markup | '' {
  if (3 * width <= coverWidths[0]) return ''
  const files = coverWidths.map((one) => `${url(one)} ${one}w`)
  return html` srcset="${files.join(', ')}" sizes="${width}px"`
}
