import { html, type Markup } from './html'
import type { PageContext } from './layout'

interface Undo {
  /** Without the base path. */
  readonly path: string
  readonly name: string
  readonly value: string | number
  readonly returnTo: string
  readonly offer?: Markup | undefined
  /** What the button says, by default “Undo”. */
  readonly text?: string
  /** The value of `data-act`, by default the first part of the path. */
  readonly act?: string
}

/** What was done; `undo` adds a button, whose response leads to `returnTo`. Fades after ten seconds, unless focused. */
export function toast({ t, basePath, member }: PageContext, text: string | Markup, undo?: Undo): Markup {
  if (undo === undefined || member === undefined) return html`<div class="toast"><span>${text}</span></div>`
  const { path, name, value, returnTo, offer = '', text: button = t.shell.undo } = undo
  const act = undo.act ?? path.split('/')[1] ?? ''
  return html`<div class="toast">
      <span>${text}</span>${offer}
      <form method="post" action="${basePath}${path}" data-act="${act}" data-swap="main">
        <input type="hidden" name="csrf" value="${member.csrf}" />
        <input type="hidden" name="return_to" value="${returnTo}" />
        <button name="${name}" value="${value}" data-keys="z">${button}</button>
      </form>
    </div>`
}

export const undoWrittenOf = (activityId: number) => ({
  path: '/undo/written',
  name: 'activity_id',
  value: activityId,
})

export const undoOf = (actId: number) => ({ path: '/undo', name: 'act_id', value: actId })
