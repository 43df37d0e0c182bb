import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'

/** Decorative: the title stands beside it. */
export const cover = ({ basePath }: PageContext, work: { readonly id: number }): Markup =>
  html`<img class="cover" src="${basePath}/covers/${work.id}.svg" alt="" width="240" height="360" loading="lazy" />`

export const workPath = ({ basePath }: PageContext, workId: number): string => `${basePath}/works/${workId}`
