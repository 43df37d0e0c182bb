import { LRUCache } from 'lru-cache'
import { perStore } from '../../db/generations/tracked-read'
import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import type { MemberVisit } from '../../web/visit'
import { followForm } from '../parts/follow'
import { beforeAll, lastActive } from './last-active'
import { membersWith, type ShownMember } from './members'

interface Suggested {
  readonly at: number
  readonly ids: readonly number[]
}

const keptMs = 86_400_000
const mostKept = 2000
const mostShown = 3

/** For each reader, whom they may want to follow; three ids each. */
export const suggestionsOf = perStore(() => new LRUCache<number, Suggested>({ max: mostKept }))

/** Of the twenty members last active, those with most works in common; chosen once a day. Empty without any. */
export async function peopleHere(visit: MemberVisit): Promise<Markup | ''> {
  const { t, deps, session } = visit
  const members = await membersWith(deps.crowd, { ids: await suggested(visit), viewer: session.userId })
  if (members.length === 0) return ''
  return html`<aside class="people-here"><h2>${t.activity.people}</h2><ul>${members.map((one) => personRow(visit, one))}</ul>
    <p><a href="${visit.basePath}/people">${t.people.all}</a></p></aside>`
}

async function suggested({ deps, session, now }: MemberVisit): Promise<readonly number[]> {
  const viewer = session.userId
  const kept = suggestionsOf(deps.read)
  const known = kept.get(viewer)
  if (known !== undefined && Math.abs(now - known.at) < keptMs) return known.ids
  const active = await lastActive(deps, { viewer, isApart: 1, after: beforeAll, limit: 20 })
  const members = await membersWith(deps.crowd, { ids: active.map(({ id }) => id), viewer })
  const ids = members
    .toSorted((one, other) => other.common - one.common)
    .slice(0, mostShown)
    .map(({ id }) => id)
  kept.set(viewer, { at: now, ids })
  return ids
}

function personRow(visit: MemberVisit, person: ShownMember): Markup {
  const { id, username, name, common } = person
  const swap = `#person-${id}`
  return html`<li id="person-${id}">${userAvatar(visit, person, 28)}<span class="text"><a href="${visit.basePath}/@${username}">${name}</a>
    <span class="meta">${visit.t.activity.inCommon(common)}</span></span>${followForm(visit, person, { swap, kind: 'outlined' })}</li>`
}
