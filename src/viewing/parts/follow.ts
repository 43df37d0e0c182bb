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
export function followForm(visit: Visit, person: Followable, { swap, kind }: FollowLook): Markup {
  const act = actOf(person)
  const fields = { username: person.username }
  return actForm(visit, { act, path: paths[act], fields, swap }, followButton(visit, person, kind, html``))
}

/** The forms of `listedFollowButton`, once for a page of many people. */
export const followForms = (visit: Visit, swap: string): readonly Markup[] =>
  (['follow', 'unfollow'] as const).map((act) =>
    actForm(visit, { act, path: paths[act], id: act, swap }, html``),
  )

/** The same press without a form around each. */
export const listedFollowButton = (visit: Visit, person: Followable): Markup =>
  followButton(
    visit,
    person,
    'outlined',
    html` form="${actOf(person)}" name="username" value="${person.username}"`,
  )

const paths = { follow: '/follow', unfollow: '/unfollow' } as const

const actOf = ({ follows, asks }: Followable) => (follows === 1 || asks === 1 ? 'unfollow' : 'follow')

function followButton(
  { t }: Visit,
  { username, privacy, follows, asks }: Followable,
  kind: FollowLook['kind'],
  sends: Markup,
): Markup {
  const button = (look: string, label: string, body: Markup | string) =>
    html`<button class="${look}small"${sends} data-focus="follow-${username}" aria-label="${label}">${body}</button>`
  if (asks === 1) return button('', t.profilePage.withdraw(username), t.profilePage.requested)
  if (follows === 1)
    return button('', t.profilePage.unfollow(username), html`${icon('check', 14)}${t.profilePage.following}`)
  const word = privacy === 'private' ? t.profilePage.request : t.profilePage.follow
  return button(`${kind} `, t.profilePage.followUser(username), word)
}
