import { listInvitations } from '../../accounts/account/invitation'
import { usersCount } from '../../accounts/users'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { countOpenReports } from '../../social/moderation'
import type { MemberVisit } from '../../web/visit'

const tabs = [
  ['health', '/admin'],
  ['users', '/admin/users'],
  ['reports', '/admin/reports'],
  ['invitations', '/admin/invitations'],
  ['catalogue', '/admin/catalogue'],
  ['instance', '/admin/instance'],
] as const

export type AdminTab = (typeof tabs)[number][0]

interface Shown {
  readonly main: Markup
  /** The page's filled button, beside the head. */
  readonly act?: Markup
  readonly head?: Markup
}

/** A page of the administration: one head for all, and a tab for each. */
export async function adminPage(visit: MemberVisit, tab: AdminTab, shown: Shown): Promise<PageContent> {
  const { t, deps } = visit
  const { main, act = '', head } = shown
  const { users } = await deps.read.selectNoFrom(usersCount.as('users')).executeTakeFirstOrThrow()
  const counts: Partial<Record<AdminTab, number>> = {
    users,
    reports: await countOpenReports(deps.read),
    invitations: (await listInvitations(deps.read)).length,
  }
  const link = ([name, path]: (typeof tabs)[number]) => {
    const count = counts[name] ?? 0
    const small = count === 0 ? '' : html` <small>${count.toLocaleString(t.language.locale)}</small>`
    return html`<a href="${visit.basePath}${path}"${name === tab ? html` aria-current="page"` : ''}>${t.admin.tabs[name]}${small}</a>`
  }
  const title = `${t.admin.tabs[tab]} · ${t.admin.title}`
  return {
    title,
    ...(head && { head }),
    main: html`<div class="head"><h1>${t.admin.title}</h1>${act}</div>
      <nav class="tabs" aria-label="${t.admin.title}">${tabs.map(link)}</nav>${main}`,
  }
}
