import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'

export interface Titles {
  readonly title: string
  readonly title_en: string
  readonly title_ro: string
}

/** The title on one line, with the language it is in. */
export const workTitle = (_: PageContext, { title }: Titles): Markup =>
  html`<span class="title" lang="ja">${title}</span>`
