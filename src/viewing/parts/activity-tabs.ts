import { mostCounted } from '../../accounts/account/unread'
import { html, type Markup } from '../../pages/html'
import type { MemberVisit } from '../../web/visit'

export type ActivityTab = keyof typeof activityPaths

export const activityPaths = {
  following: '/activity',
  everyone: '/activity/everyone',
  notifications: '/notifications',
} as const

/** The parts of what others did, and what one is told. */
export function activityTabs({ t, basePath, member }: MemberVisit, current: ActivityTab): Markup {
  const unread = member?.unread ?? 0
  const link = (tab: ActivityTab, count: Markup | '' = '') =>
    html`<a href="${basePath}${activityPaths[tab]}"${tab === current ? html` aria-current="page"` : ''}>${t.activity[tab]}${count}</a>`
  const badge = unread === 0 ? '' : html` <span class="badge">${unread < mostCounted ? unread : '99+'}</span>`
  return html`<nav class="tabs" aria-label="${t.activity.kinds}">${link('following')}${link('everyone')}${link('notifications', badge)}</nav>`
}
