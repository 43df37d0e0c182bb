import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { actForm } from './act-form'

/** Somebody else, and whether the reader follows them, or asks to: 1 or 0. */
export interface Followable {
  readonly username: string
  readonly privacy: string
  readonly follows: number
  readonly asks: number
}

interface FollowLook {
  /** What the answer replaces. */
  readonly swap: string
  readonly kind: 'filled' | 'outlined'
}

/** One press follows, or ends it; a private profile is asked (D76). */
export function followForm(
  visit: Visit,
  { username, privacy, follows, asks }: Followable,
  { swap, kind }: FollowLook,
): Markup {
  const { t } = visit
  const form = (act: 'follow' | 'unfollow', look: string, label: string, body: Markup | string) =>
    actForm(
      visit,
      { act, path: `/${act}`, fields: { username }, swap },
      html`<button class="${look}small" data-focus="follow-${username}" aria-label="${label}">${body}</button>`,
    )
  if (asks === 1) return form('unfollow', '', t.profilePage.withdraw(username), t.profilePage.requested)
  if (follows === 1)
    return form(
      'unfollow',
      '',
      t.profilePage.unfollow(username),
      html`${icon('check', 14)}${t.profilePage.following}`,
    )
  const word = privacy === 'private' ? t.profilePage.request : t.profilePage.follow
  return form('follow', `${kind} `, t.profilePage.followUser(username), word)
}
