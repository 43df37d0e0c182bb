import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { chosenTitle, type Titles } from '../../pages/title'
import { toast } from '../../pages/toast'
import type { Flash } from '../../web/flash'
import { csrfInput } from '../../web/form-markup'
import { returnPath } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'

/** Without the base path. */
/** All changes of the catalogue. */
export const changesPath = '/catalogue/changes'

export const changePath = (id: number): string => `${changesPath}/${id}`

/** What was changed, with its undo. */
export async function editedToast(visit: MemberVisit, { id }: Flash): Promise<Markup | undefined> {
  const { deps, t } = visit
  const [change] = await ownChange(deps.read, { id, user: visit.session.userId })
  if (change === undefined) return undefined
  const name = chosenTitle(visit, change).text
  if (change.kind === 'undo') return toast(visit, t.editing.undone(name))
  const undo = { path: `${changePath(id)}/undo`, name: 'change_id', value: id, act: 'undo_change' }
  return toast(visit, t.editing.changed(name), { ...undo, returnTo: returnPath(visit) })
}

/** `field`: of one field, as in the log: its kind, row and name. */
export function undoForm(visit: MemberVisit, change: number, name: string, field?: string): Markup {
  const { t, basePath } = visit
  const [act, hidden] =
    field === undefined
      ? ['undo_change', '']
      : ['revert_field', html`<input type="hidden" name="field" value="${field}" />`]
  return html`<form method="post" action="${basePath}${changePath(change)}/undo" data-act="${act}" data-swap="main">${csrfInput(visit)}<input type="hidden" name="return_to" value="${returnPath(visit)}" />${hidden}<button class="small" aria-label="${t.editing.undoOf(name)}">${t.shell.undo}</button></form>`
}

const ownChange = preparedSql<Titles & { kind: string }, { id: number; user: number }>(
  (slot) => sql`
    select kind, ifnull(title, '') as title, ifnull(title_en, '') as title_en, ifnull(title_ro, '') as title_ro
    from catalogue_changes left join works on works.id = work_id
    where catalogue_changes.id = ${slot('id')} and ${slot('user')} in (user_id, accepted_by)`,
)
