import { decidesEdits } from '../../accounts/editing-right'
import { html, type Markup } from '../../pages/html'
import { chosenTitle, titleMarkup } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import { seasonName } from '../parts/season'
import { mediumName } from '../work/facts'
import type { ShownWork } from '../work/view'

/** Pages below a work by which it is edited, as their paths say. */
const tabs = ['edit', 'edit/episodes', 'edit/programs', 'history'] as const
export type EditTab = (typeof tabs)[number]

/** The work, and what of it can be edited. */
export function editHead(visit: MemberVisit, work: ShownWork, current: EditTab): Markup {
  const { t } = visit
  const facts = [seasonName(visit, work), mediumName(visit, work.media)].filter((part) => part !== '')
  const tab = (one: EditTab) =>
    html`<a href="${workPath(visit, work.id)}/${one}"${one === current ? html` aria-current="page"` : ''}>${t.editing.tabs[one]}</a>`
  const own = (['merge', 'split'] as const).map(
    (one) =>
      html`<a href="${workPath(visit, work.id)}/${one}">${t.merging[one === 'merge' ? 'merging' : one]}</a>`,
  )
  return html`<div class="edit-head">${cover(visit, work, 40)}<div class="text"><h1>${titleMarkup(visit, work)}</h1><p class="meta">${facts.join(' · ')}</p></div></div>
    <nav class="tabs" aria-label="${t.editing.parts}">${tabs.map(tab)}${decidesEdits(visit.session) ? own : ''}</nav>`
}

/** For the way back above the page. */
export const backToWork = (visit: MemberVisit, work: ShownWork) => ({
  path: `/works/${work.id}`,
  name: chosenTitle(visit, work).text,
})

/** Whoever edited something, as the reader may know them. */
export interface EditorName {
  /** Null: a former member. */
  readonly user_id: number | null
  readonly username: string | null
  readonly privacy: string | null
  /** 1: disabled, or apart from the reader. */
  readonly is_hidden: number
}

/** Of a private profile, and of who is hidden from the reader, the name is for editors and themselves alone (D95). */
export function editorName({ t, basePath, session }: MemberVisit, editor: EditorName): Markup {
  const { user_id, username, privacy, is_hidden } = editor
  if (user_id === null || username === null) return html`${t.common.formerMember}`
  const isOpen = privacy !== 'private' && is_hidden === 0
  const isKnown = isOpen || decidesEdits(session) || user_id === session.userId
  return isKnown ? html`<a href="${basePath}/@${username}">${username}</a>` : html`${t.editing.aMember}`
}
