import type { Community } from '../community'
import { type Act, deedOf, type History } from '../history/history'
import type { Posts } from '../history/posts'
import { nextId, rowsInto } from './rows'

/** Writes the activities that tell of every act, as the API makes one with each (D26, D36). Returns how many. */
export function writeActivities(
  { handle, world, firstUserId, onProgress }: Community,
  { acts }: History,
  order: Uint32Array,
  posts: Posts,
): number {
  const firstId = nextId(handle, 'activities')
  const rows = rowsInto(handle, 'activities', [
    ...['id', 'user_id', 'work_id', 'action', 'created_at', 'record_id', 'review_id', 'status_kind'],
  ])
  for (const { id, act, action, post } of told(acts.rows(order), firstId, posts)) {
    const common = [id, firstUserId + act.member, world.works[act.work]?.id ?? 0, action, act.time]
    const record = action === 'create_record' ? post : null
    const review = action === 'create_review' ? post : null
    rows.add([...common, record, review, action === 'create_status' ? deedOf(act) : null])
    if (id % 10_000 === 0) onProgress(`${(id - firstId).toLocaleString('en')} activities`)
  }
  rows.end()
  const pairs = rowsInto(handle, 'activity_records', ['activity_id', 'record_id'])
  for (const { id, act, action, post } of told(acts.rows(order), firstId, posts)) {
    if (action !== 'create_multiple_records') continue
    for (let k = 0; k < act.count; k += 1) pairs.add([id, post + k])
  }
  pairs.end()
  return order.length
}

/** Writes the statuses that works have in the end. Returns how many. */
export function writeStatuses({ handle, world, firstUserId }: Community, { statuses }: History): number {
  const rows = rowsInto(handle, 'statuses', ['user_id', 'work_id', 'kind', 'changed_at'])
  for (const status of statuses.rows()) {
    const work = world.works[status.work]?.id ?? 0
    rows.add([firstUserId + status.member, work, deedOf(status), status.time])
  }
  rows.end()
  return statuses.length
}

/** Each act as the activity that tells of it; `post` is the id of the record or review, of several the first. */
function* told(acts: Iterable<Act>, firstId: number, { records, reviews }: Posts) {
  let id = firstId
  let [record, review] = [records.firstId, reviews.firstId]
  for (const act of acts) {
    const action = actionOf(act)
    yield { id, act, action, post: action === 'create_review' ? review : record }
    id += 1
    if (deedOf(act) === 'record') record += act.count
    if (action === 'create_review') review += 1
  }
}

function actionOf(act: Act) {
  const deed = deedOf(act)
  if (deed === 'record') return act.count > 1 ? 'create_multiple_records' : 'create_record'
  return deed === 'review' ? 'create_review' : 'create_status'
}
