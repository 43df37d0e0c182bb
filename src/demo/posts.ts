import { activityColumns, type NewActivity } from '../library/new-activity'
import type { Post } from './community'
import type { Row } from './rows'

/** Like the one the API creates with each record, review and status (D26, D36). */
export const activityRow = (activity: NewActivity): Row => ({
  table: 'activities',
  values: activityColumns(activity),
})

/** Keeps the 200 to 400 newest posts. */
export function publish(posts: Post[], post: Omit<Post, 'likers'>): void {
  posts.push({ ...post, likers: new Set() })
  if (posts.length > 400) posts.splice(0, 200)
}
