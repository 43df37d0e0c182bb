import { sql } from 'kysely'
import { defineList } from '../api/list'
import { filter } from '../api/list-declaration'
import { flagParam } from '../api/param-kinds'
import { withDefault } from '../api/params'
import { byId } from '../catalogue/filters'
import { perStore } from '../db/generations/tracked-read'
import type { PageFinder } from '../paging/query-plan'
import { activityItem, byActions } from './activities'
import { createFeeds } from './feed/feed'
import { pageOfFeed } from './feed/feed-page'

export const feedsOf = perStore(() => createFeeds())

const feedFinder: PageFinder = {
  find: async ({ query, viewer, shape }, page, read) => {
    const mutedBy = query.filter_muted === true ? viewer : 0
    const feed = await feedsOf(read).of({ follower: viewer, mutedBy, own: 0 }, read)
    const actions = Array.isArray(query.filter_actions) ? query.filter_actions : undefined
    return pageOfFeed(feed, actions, { ...page, direction: shape.sorts[0].direction })
  },
}

/** Without muted users by default (D38). */
export const followingActivities = defineList({
  path: '/v1/me/following_activities',
  tag: 'Activities',
  summary: 'Activities of the users that the caller follows',
  key: 'activities',
  item: activityItem,
  rows: { finder: feedFinder },
  filters: {
    filter_actions: byActions,
    filter_muted: filter(
      withDefault(flagParam('true leaves out users that the caller has muted'), true),
      () => ({}),
      () => sql`true`,
    ),
  },
  sorts: { sort_id: byId },
})
