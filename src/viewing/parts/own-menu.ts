import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { actForm } from './act-form'

interface Owned {
  /** Without the base path: `/edit` and `/delete` follow. */
  readonly path: string
  /** What it is, for the names of the buttons. */
  readonly name: string
  readonly swap?: string
}

/** Edits or deletes a record or viewing of one's own. */
export function ownMenu(visit: Visit, { path, name, swap }: Owned): Markup {
  const { t, basePath } = visit.pageContext
  const form = { act: 'delete', path: `${path}/delete`, ...(swap && { swap }) }
  return html`<details class="menu" name="menu"><summary aria-label="${t.episode.menuOf(name)}">${icon('more')}</summary>
    <div class="entries"><a href="${basePath}${path}/edit">${icon('pen')}${t.episode.edit}</a><hr />${actForm(
      visit,
      form,
      html`<button class="danger">${icon('close')}${t.episode.delete(name)}</button>`,
    )}</div></details>`
}
