import type { Post } from './community'
import type { Row } from './rows'

/** The activity that tells of what was done, as the API makes one with each record, review and status (D26, D36). */
export function activityRow(
  common: { readonly user_id: number; readonly work_id: number; readonly created_at: number },
  { action, record_id = null, review_id = null, status_kind = null }: Activity,
): Row {
  return { table: 'activities', values: { ...common, action, record_id, review_id, status_kind } }
}

interface Activity {
  readonly action: 'create_record' | 'create_multiple_records' | 'create_review' | 'create_status'
  readonly record_id?: number | null
  readonly review_id?: number | null
  readonly status_kind?: string | null
}

/** Adds what somebody wrote to what is liked at present, in place of what was written long before. */
export function publish(posts: Post[], post: Omit<Post, 'likers'>): void {
  posts.push({ ...post, likers: new Set() })
  if (posts.length > 400) posts.splice(0, 200)
}
