import Type from 'typebox'
import { byUsername } from '../accounts/filters'
import { nestedUser } from '../accounts/users'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { filter } from '../api/list-declaration'
import { nested } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { idParam } from '../api/param-kinds'
import { defineResource } from '../api/resource'
import { boolean, dateTime, integer, text } from '../api/schema'
import { episode } from '../catalogue/episodes'
import { byId, byIds, byWork } from '../catalogue/filters'
import { survivor } from '../catalogue/survivors'
import { work } from '../catalogue/works'
import { isoTime } from '../lib/time'
import { privateSchema } from './flags'
import { byHavingText, byLikes } from './ranked'
import { ratingStateSchema, scoreSchema } from './ratings'
import { isExact, type Precision, precisionSchema, watchedSchema, watchedText } from './watched'

/** Also nested in activities (D25). */
export const record = defineResource('Record', 'records', ({ from }) => ({
  id: integer('Record id', 501),
  comment: text('Impression', 'よかった'),
  rating: nullable(
    Type.Number({
      minimum: 0,
      maximum: 5,
      description: 'Deprecated: use rating_state instead',
      examples: [4.5],
    }),
  ),
  rating_state: ratingStateSchema('Rating'),
  is_modified: from(boolean('Whether it was edited'), ['is_modified'], (row) => row.is_modified === 1),
  likes_count: integer('Likes'),
  comments_count: integer('Comments'),
  created_at: from(
    dateTime('When the episode was watched; by default, when the record was created'),
    ['watched_at', 'watched_at_precision', 'created_at'],
    (row) => isoTime(isExact(row.watched_at_precision) ? row.watched_at : row.created_at),
  ),
  watched_at: from(watchedSchema, ['watched_at', 'watched_at_precision'], (row) =>
    watchedText(row.watched_at, row.watched_at_precision as Precision),
  ),
  watched_at_precision: precisionSchema,
  lap: integer('Extension: the lap (time through the work) that it belongs to, from 1', 1),
  private: from(privateSchema, ['private'], (row) => row.private === 1),
  score: scoreSchema,
}))

export const recordItem = defineItem('records', record, {
  user: nested(nestedUser, (eb) => eb.ref('records.user_id')),
  work: nested(work, (eb) => eb.ref('records.work_id')),
  episode: nested(episode, (eb) => eb.ref('records.episode_id')),
})

export const records = defineList({
  path: '/v1/records',
  tag: 'Records',
  summary: 'Records on episodes',
  key: 'records',
  item: recordItem,
  rows: {
    indexes: {
      records_user_episode: ['filter_episode_id', 'filter_username'],
      records_user_work: ['filter_work_id', 'filter_username'],
      // Also has the episode.
      records_work: ['filter_work_id'],
      records_episode: ['filter_episode_id'],
      records_user: ['filter_username'],
      records_keys: [],
    },
  },
  filters: {
    filter_ids: byIds('records'),
    filter_episode_id: filter(
      idParam('Only records on this episode', 2001),
      (episode) => ({ episode }),
      (eb, slot) => eb('records.episode_id', '=', survivor('episodes', slot('episode'))),
    ),
    filter_has_record_comment: byHavingText(
      'records',
      'comment',
      'Only records with a comment, or only those without',
    ),
    filter_work_id: byWork('records', 'Extension: only records on this work'),
    filter_username: byUsername('records', 'user_id', "Extension: only this user's records"),
  },
  sorts: { sort_id: byId, sort_likes_count: byLikes },
})
