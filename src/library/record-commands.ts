import { defineCommand } from '../api/command'
import { itemSchema } from '../api/item'
import { flagParam, idParam } from '../api/param-kinds'
import { clearable, described, param, required, withDefault } from '../api/params'
import { itemReader } from '../api/read-item'
import { visibleEpisode } from '../catalogue/lookups'
import { prose } from '../values/text'
import { deleteOwn } from './delete-own'
import { flagColumn, privateParam } from './flags'
import { writingTokenOf } from './new-activity'
import { recordOne } from './new-record'
import { newOpinion, ratingParam, ratingStateParam, scoreParam } from './ratings'
import { editedRecord, updateRecordOf } from './record-edit'
import { recordItem } from './records'
import { editedWatched, watchedOf, watchedParams } from './watched'

const recordParams = {
  comment: param(prose(10_000), 'Impression', 'よかった'),
  rating: ratingParam,
  rating_state: ratingStateParam('Rating'),
  score: scoreParam,
  share_twitter: flagParam('Stored with the record; nothing is posted'),
  share_facebook: flagParam('Stored with the record; nothing is posted'),
  ...watchedParams('the episode was'),
  private: privateParam('the record'),
}

const recordId = required(idParam('The record', 501))
const readRecord = itemReader(recordItem)
const answers = () => itemSchema(recordItem)

/** Its activity is create_record (D26, D31, D35). */
export const createRecord = defineCommand({
  method: 'POST',
  path: '/v1/me/records',
  tag: 'Records',
  summary: 'Records an episode',
  params: {
    episode_id: required(idParam('The episode', 2001)),
    ...recordParams,
    share_twitter: withDefault(recordParams.share_twitter, false),
    share_facebook: withDefault(recordParams.share_facebook, false),
  },
  answers,
  errors: ['not_found'],
  run: async ({ episode_id, ...values }, call) => {
    const now = call.deps.now()
    const own = { user_id: call.viewer.userId, created_at: now }
    const written = {
      comment: values.comment ?? '',
      ...newOpinion(values),
      share_twitter: Number(values.share_twitter),
      share_facebook: Number(values.share_facebook),
      ...watchedOf(values.watched_at, values.watched_at_precision, now),
      private: flagColumn(values.private) ?? null,
    }
    const id = await call.deps.write(async (tx) => {
      const { work_id, id } = await visibleEpisode(tx, episode_id)
      return recordOne(tx, { ...own, work_id, episode_id: id, ...written }, writingTokenOf(call.viewer))
    })
    return readRecord(id, call)
  },
})

/** Changes only what is sent; a blank value clears (D32, D33). Also available as PUT. */
export const updateRecord = defineCommand({
  method: 'PATCH',
  path: '/v1/me/records/:id',
  tag: 'Records',
  summary: 'Edits a record of the caller',
  description: 'Changes only what is sent; a blank value, or null in JSON, clears it. PUT does the same.',
  params: {
    id: recordId,
    ...recordParams,
    comment: clearable(recordParams.comment),
    rating: clearable(recordParams.rating),
    rating_state: clearable(recordParams.rating_state),
    score: clearable(recordParams.score),
    share_twitter: clearable(recordParams.share_twitter),
    share_facebook: clearable(recordParams.share_facebook),
    private: clearable(recordParams.private),
    watched_at: clearable(
      described(
        recordParams.watched_at,
        'Extension: when the episode was watched; by default, when it was recorded',
      ),
    ),
  },
  answers,
  errors: ['not_found'],
  run: async ({ id, watched_at, watched_at_precision, ...values }, call) => {
    const now = call.deps.now()
    const watched = editedWatched(watched_at, watched_at_precision, now)
    const { columns, opinion } = editedRecord(values, now)
    const edit = { columns: { ...columns, ...watched }, opinion }
    await call.deps.write((tx) => updateRecordOf(tx, call.viewer.userId, id, edit))
    return readRecord(id, call)
  },
})

export const deleteRecord = defineCommand({
  method: 'DELETE',
  path: '/v1/me/records/:id',
  tag: 'Records',
  summary: 'Deletes a record of the caller',
  params: { id: recordId },
  errors: ['not_found'],
  run: ({ id }, call) => deleteOwn(call, { table: 'records', id, what: 'The record' }),
})
