import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { actForm } from './act-form'

interface Owned {
  readonly kind: 'record' | 'viewing'
  readonly id: number
  /** Describes it in the names of the buttons. */
  readonly name: string
  readonly swap?: string
}

/** Edits or deletes one's own record or viewing. */
export function ownMenu(visit: Visit, { kind, id, name, swap }: Owned): Markup {
  const { t, basePath } = visit
  const fields = kind === 'record' ? { record_id: id } : { review_id: id }
  const form = { act: `delete_${kind}`, path: `/${kind}/delete`, fields, ...(swap && { swap }) }
  const remove = html`<button class="danger">${icon('close')}${t.episode.delete(name)}</button>`
  return html`<details class="menu" name="menu"><summary aria-label="${t.episode.menuOf(name)}">${icon('more')}</summary>
    <div class="entries"><a href="${basePath}/${kind}s/${id}/edit">${icon('pen')}${t.common.edit}</a><hr />${actForm(visit, form, remove)}</div></details>`
}
