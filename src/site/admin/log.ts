import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { listModerations, undoModeration } from '../../social/hide'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { administrator, definePage, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { aboutText, moderatorName, reportChips } from './reports'
import { adminPage } from './tabs'

const logPath = '/admin/log'

type Moderation = Awaited<ReturnType<typeof listModerations>>['moderations'][number]

/** What administrators hid and whom they suspended, with who, why and the way back. Query parameter: `before`, the last id of the page before. */
export const moderationLog: readonly PageRoute[] = [
  definePage({
    path: logPath,
    access: administrator,
    show: async (visit) => {
      const { deps, t, basePath } = visit
      const before = readIfValid(positiveInteger, queryText(visit, 'before'))
      const { moderations, hasMore } = await listModerations(deps.read, before)
      const list =
        moderations.length === 0
          ? html`<p>${t.reports.logIsEmpty}</p>`
          : html`<ul class="rows reports">${moderations.map((one) => row(visit, one))}</ul>`
      const more = hasMore
        ? html`<p><a href="${basePath}${logPath}?before=${moderations.at(-1)?.id ?? 0}" rel="next">${t.common.next}</a></p>`
        : ''
      return adminPage(visit, 'reports', { main: html`${reportChips(visit, 'log')}${list}${more}` })
    },
  }),
  defineAction({
    path: `${logPath}/:id/undo`,
    access: administrator,
    run: async (visit) => {
      const { deps, context, session } = visit
      const id = pathId(visit)
      if (!(await undoModeration(deps, { id, by: session.userId }))) throw pageNotFound()
      deps.log('moderation_undone', { id: context.id, moderation: id, by: session.userId })
      setFlash(visit, 'saved')
      return seeOther(visit, logPath)
    },
  }),
]

function row(visit: MemberVisit, moderation: Moderation): Markup {
  const { t } = visit
  const { id, kind, moderator_id, moderator, reason, created_at, undone_at, undone_by, undoer } = moderation
  const by = moderatorName(visit, moderator_id, moderator)
  const done = kind === 'suspend' ? suspension(visit, moderation, by) : t.reports.hiddenBy(by)
  const why = reason === '' ? '' : html`<p class="answer" dir="auto">${reason}</p>`
  const undo =
    undone_at === null
      ? buttonForm(visit, `${logPath}/${id}/undo`, t.reports.undo)
      : html`<span class="meta">${t.reports.undoneBy(moderatorName(visit, undone_by, undoer))} · ${moment(visit, undone_at)}</span>`
  return html`<li class="row" data-moderation="${id}"><div class="text"><b>${kind === 'suspend' ? personOf(visit, moderation) : aboutText(visit, moderation)}</b>
      <p class="meta">${done} · ${moment(visit, created_at)}</p>${why}</div>
    <div class="buttons">${undo}</div></li>`
}

/** `privacy`: who saw the profile before everything was hidden. */
const suspension = ({ t }: MemberVisit, { privacy }: Moderation, by: string): string =>
  privacy === null ? t.reports.suspendedBy(by) : t.reports.suspendedAndHiddenBy(by)

const personOf = ({ basePath }: MemberVisit, { user_id, username }: Moderation): Markup =>
  html`<a href="${basePath}/admin/users/${user_id}">${username}</a>`
