import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { chosenTitle } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { detailsOf, type EntryDetails } from '../activity/details'
import type { StreamActivity } from '../activity/entries'
import { activitiesWith } from '../activity/stream'
import { actForm } from '../parts/act-form'
import { episodeName } from '../parts/episode-name'
import { followForms, listedFollowButton } from '../parts/follow'
import type { ShownMember } from './members'

/** `removes`: those who follow the reader, who may end that. */
export async function memberRows(
  visit: MemberVisit,
  members: readonly ShownMember[],
  { removes = false } = {},
): Promise<Markup> {
  const { deps, session } = visit
  const ids = JSON.stringify(members.flatMap(({ last }) => last ?? []))
  const activities = await activitiesWith(deps.crowd, { ids })
  const details = await detailsOf(
    deps.crowd,
    activities.map((activity) => [activity]),
    session.userId,
  )
  const last = new Map(activities.map((activity) => [activity.user_id, activity]))
  const row = (member: ShownMember) =>
    memberRow(visit, member, { removes, deed: deedOf(visit, last.get(member.id), details) })
  const removing = {
    act: 'remove_follower',
    path: '/followers/remove',
    id: 'remove_follower',
    swap: '#people',
  }
  return html`${followForms(visit, '#people')}${removes ? actForm(visit, removing, html``) : ''}<ul class="rows people">${members.map(row)}</ul>`
}

interface RowMarkup {
  readonly deed: Markup
  readonly removes: boolean
}

function memberRow(visit: MemberVisit, member: ShownMember, { deed, removes }: RowMarkup): Markup {
  const { t, basePath, session } = visit
  const { id, username, name, common } = member
  const isSelf = id === session.userId
  const remove = html`<button class="small" form="remove_follower" name="username" value="${username}" aria-label="${t.people.removeFollower(username)}">${t.people.remove}</button>`
  return html`<li class="row" id="person-${id}">${userAvatar(visit, member)}<div class="text"><a class="name" href="${basePath}/@${username}">${name}</a> <span class="meta">@${username}</span><p class="meta">${deed}</p></div>${
    isSelf || common === 0 ? '' : html`<span class="meta common">${t.activity.inCommon(common)}</span>`
  }${removes ? remove : ''}${isSelf ? '' : listedFollowButton(visit, member)}</li>`
}

/** What somebody did last: `Garden of Falling Stars, episode 12 · yesterday 21:03`. */
function deedOf(visit: MemberVisit, activity: StreamActivity | undefined, details: EntryDetails): Markup {
  const work = activity && details.works.get(activity.work_id)
  if (activity === undefined || work === undefined) return html``
  const { text, lang } = chosenTitle(visit, work)
  const what = kindOf(visit, activity, details)
  return html`<span lang="${lang}">${visit.t.activity.titled(text)}</span> ${what} · ${timeMarkup(visit, activity.created_at)}`
}

function kindOf({ t, language }: PageContext, activity: StreamActivity, details: EntryDetails): string {
  if (activity.status_kind !== null) return t.statuses[activity.status_kind]
  const run = details.records.get(activity.id)
  return run === undefined ? t.people.reviewed : episodeName({ t, language }, run.newest)
}
