import { type CoveredWork, imagePath, madeCoverPath } from '../catalogue/cover-path'
import { html, type Markup } from '../pages/html'
import type { PageContext } from '../pages/layout'

/** `width` of the place it stands in, in CSS pixels; screens draw two pixels for one. */
function coverUrl(basePath: string, work: CoveredWork, width: number): string {
  const { cover_hash } = work
  return basePath + (cover_hash === null ? madeCoverPath(work) : imagePath(cover_hash, fileWidth(width)))
}

const coverWidths = [160, 320, 640] as const

const fileWidth = (width: number) => coverWidths.find((one) => one >= 2 * width) ?? 640

/** Decorative: the title stands beside it. `width` as for `coverUrl`. */
export function coverMarkup({ basePath }: PageContext, work: CoveredWork, width: number): Markup {
  const url = coverUrl(basePath, work, width)
  return html`<img class="cover" src="${url}" alt="" width="${width}" height="${width * 1.5}" loading="lazy" />`
}
