import { type StatusKind, statusKinds } from '../../library/statuses'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { actForm } from './act-form'
import { privateBox } from './private-mark'

export const statusMark = (t: Messages, kind: StatusKind): Markup =>
  html`<span class="status ${kind}">${icon(kind, 14)}${t.statuses[kind]}</span>`

interface StatusOf {
  readonly workId: number
  /** Plain text, for the names of buttons. */
  readonly title: string
  readonly kind: StatusKind | undefined
  /** 1 if only the reader sees it, or will see a new one. */
  readonly private?: number
  readonly swap?: string
}

/** Opens the five statuses: two taps, without script. */
export function statusMenu(visit: Visit, { workId, title, kind, swap, private: mark }: StatusOf): Markup {
  const { t } = visit
  const remove =
    kind === undefined ? '' : html`<hr /><button name="kind" value="no_select">${t.statuses.remove}</button>`
  const form = { act: 'status', path: '/status', fields: { work_id: workId }, ...(swap && { swap }) }
  const chosen = kind === undefined ? t.statuses.choose : statusMark(t, kind)
  const word = kind === undefined ? t.statuses.choose : t.statuses[kind]
  return html`<details class="menu" name="menu">
    <summary class="button small" aria-label="${word}${t.common.colon}${t.statuses.of(title)}" data-focus="status-${workId}">${chosen}${icon('down', 14)}</summary>
    <div class="entries">${actForm(visit, form, html`${privateBox(t, mark === 1)}<hr />${statusChoices(t, kind)}${remove}`)}</div>
  </details>`
}

export const statusChoices = (t: Messages, chosen: StatusKind | null | undefined): readonly Markup[] =>
  statusKinds.map(
    (kind) =>
      html`<button class="status ${kind}" name="kind" value="${kind}" aria-pressed="${String(kind === chosen)}">${icon(kind, 14)}${t.statuses[kind]}</button>`,
  )

/** One tap: `+ 見たい`. */
export function statusButton(
  visit: Visit,
  { workId, title, kind, swap }: StatusOf & { kind: StatusKind },
): Markup {
  const { t } = visit
  const form = { act: 'status', path: '/status', fields: { work_id: workId }, ...(swap && { swap }) }
  const word = t.statuses[kind]
  return actForm(
    visit,
    form,
    html`<button class="outlined small" name="kind" value="${kind}" data-focus="${kind}-${workId}" aria-label="${t.statuses.setTo(title, word)}">＋ ${word}</button>`,
  )
}
