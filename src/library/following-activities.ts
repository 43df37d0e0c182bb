import { sql } from 'kysely'
import { byId } from '../catalogue/filters'
import { perStore } from '../db/per-store'
import type { Call } from '../http/endpoint'
import { defineList, type FoundIds, filter, type IdStretch } from '../http/list'
import { flag, otherwise } from '../http/params'
import { activityItem, byActions } from './activities'
import { createFeeds } from './feed'
import { pageOfFeed } from './feed-page'

/** GET /v1/me/following_activities: of the users the caller follows, without the muted ones unless asked (D38). */
export const followingActivities = defineList({
  path: '/v1/me/following_activities',
  tag: 'Activities',
  summary: 'What the users the caller follows did',
  key: 'activities',
  item: activityItem,
  rows: { find: findInFeed },
  filters: {
    filter_actions: byActions,
    filter_muted: filter(
      otherwise(flag('true leaves out users the caller has muted'), true),
      () => ({}),
      () => sql`true`,
    ),
  },
  sorts: { sort_id: byId },
})

async function findInFeed(
  asked: Readonly<Record<string, unknown>>,
  stretch: IdStretch,
  { deps, viewer }: Call,
): Promise<FoundIds> {
  const feed = await feedsOf(deps.read).of(viewer.userId, asked.filter_muted === true)
  const wanted = asked.filter_actions
  return pageOfFeed(feed, Array.isArray(wanted) ? wanted : undefined, stretch)
}

const feedsOf = perStore((read) => createFeeds(read))
