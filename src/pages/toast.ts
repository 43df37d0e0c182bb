import { html, type Markup } from './html'
import type { PageContext } from './layout'

/** What was done; with `undo`, the id of an act, the way back. Fades after ten seconds, unless it has focus. */
export function toast(pageContext: PageContext, text: string, undo?: number): Markup {
  const { t, basePath, member } = pageContext
  if (undo === undefined || member === undefined) return html`<div class="toast"><span>${text}</span></div>`
  return html`<div class="toast">
      <span>${text}</span>
      <form method="post" action="${basePath}/undo" data-act="undo" data-swap="main">
        <input type="hidden" name="csrf" value="${member.csrf}" />
        <button name="act_id" value="${undo}" data-keys="z">${t.shell.undo}</button>
      </form>
    </div>`
}
