import { sql } from 'kysely'
import { decidesEdits } from '../../accounts/editing-right'
import { beginUndo, MergeRefused, undoneWithinMs } from '../../catalogue/edit/merges'
import { handleOf } from '../../db/dialect'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { day } from '../../pages/moment'
import { csrfInput } from '../../web/form-markup'
import { editor } from '../../web/page'
import { PageProblem } from '../../web/problem'
import { returnPath } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'
import { refuseTooMany } from '../editing/save'
import { changePath } from '../editing/undo-button'
import { goOn } from './run'

interface MergeProgress {
  readonly task: 'merge' | 'split'
  readonly kind: string
  readonly from_id: number
  readonly to_id: number
  readonly state: 'moving' | 'moved' | 'parting' | 'parted'
  readonly total: number
  readonly made: number
  /** Rows in the log. */
  readonly logged: number
}

// uses the primary key and catalogue_moves_change
const progressOf = preparedSql<MergeProgress, { id: number }>(
  (slot) => sql`
    select task, m.kind, from_id, to_id, state, total, catalogue_changes.created_at as made, (
      select ifnull(sum(json_array_length(keys) + json_array_length(rows)), 0) from catalogue_moves
      where change_id = m.change_id) as logged
    from catalogue_merges as m join catalogue_changes on catalogue_changes.id = m.change_id
    where m.change_id = ${slot('id')}`,
)

/** Of a merge or a split: how far it is, and its undo. */
export async function mergeProgress(
  visit: MemberVisit,
  change: number,
): Promise<{ readonly markup: Markup; readonly isRunning: boolean } | undefined> {
  const { deps, t, basePath, language } = visit
  const [found] = await progressOf(deps.read, { id: change })
  if (found === undefined) return undefined
  const { task, kind, from_id, to_id, state, total, made } = found
  const isRunning = state === 'moving' || state === 'parting'
  const done = Math.min(total, found.logged)
  const rows = isRunning
    ? t.merging.rowsOf(done.toLocaleString(language), total.toLocaleString(language))
    : ''
  const link = (id: number) =>
    kind === 'work'
      ? html`<a href="${basePath}/works/${id}">${t.merging.id(id)}</a>`
      : html`${t.merging.id(id)}`
  const what = task === 'merge' ? t.merging.mergedInto : t.merging.splitInto
  const ends = made + undoneWithinMs
  const undo =
    decidesEdits(visit.session) && state === 'moved' && deps.now() <= ends
      ? html`<form method="post" action="${basePath}${changePath(change)}/undo" data-act="undo_change">${csrfInput(visit)}<input type="hidden" name="return_to" value="${returnPath(visit)}" /><button>${t.merging.undo}</button> <span class="meta">${t.merging.undoUntil} ${day(visit, ends)}</span></form>`
      : ''
  const bar = isRunning
    ? html`<progress max="${Math.max(1, total)}" value="${done}" aria-label="${t.merging.progress[state]}"></progress>`
    : ''
  return {
    isRunning,
    markup: html`<section class="box merge-progress" data-merge="${state}"><p>${link(from_id)} ${what} ${link(to_id)}</p><p role="status"><b>${t.merging.progress[state]}</b> ${rows}</p>${bar}${undo}</section>`,
  }
}

/** Takes a merge or a split apart (D97). Returns the id of the undo; undefined if the change is neither. */
export async function undoMerge(visit: MemberVisit, change: number): Promise<number | undefined> {
  const { deps, session } = visit
  const [found] = await progressOf(deps.read, { id: change })
  if (found === undefined) return undefined
  editor(visit)
  try {
    const undo = await deps.write(async (tx) => {
      await refuseTooMany(tx, session.userId, deps.now())
      return beginUndo(handleOf(tx), change, { user: session.userId, now: deps.now() })
    })
    await goOn(deps)
    return undo
  } catch (cause) {
    if (!(cause instanceof MergeRefused)) throw cause
    const { problem, change: other } = cause
    const special =
      other === undefined
        ? undefined
        : { mark: 'merge', way: { path: changePath(other), name: (t: MemberVisit['t']) => t.editing.change } }
    throw new PageProblem(409, (t) => [t.merging.undo, t.merging.refused[problem]], {}, undefined, special)
  }
}
