import { html, type Markup } from './html'
import type { PageContext } from './layout'

interface Undo {
  readonly actId: number
  /** Without the base path. */
  readonly returnTo: string
  /** A form of one button: what may come next. */
  readonly offer?: Markup | undefined
}

/** What was done; with `undo`, the way back, whose answer leads to `returnTo`. Fades after ten seconds, unless it has focus. */
export function toast(pageContext: PageContext, text: string, undo?: Undo): Markup {
  const { t, basePath, member } = pageContext
  if (undo === undefined || member === undefined) return html`<div class="toast"><span>${text}</span></div>`
  return html`<div class="toast">
      <span>${text}</span>${undo.offer ?? ''}
      <form method="post" action="${basePath}/undo" data-act="undo" data-swap="main">
        <input type="hidden" name="csrf" value="${member.csrf}" />
        <input type="hidden" name="return_to" value="${undo.returnTo}" />
        <button name="act_id" value="${undo.actId}" data-keys="z">${t.shell.undo}</button>
      </form>
    </div>`
}
