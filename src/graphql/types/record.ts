import { record as restRecord } from '../../library/records'
import type { GraphqlField } from '../declare/field'
import { annictId, constant, fieldsOf, one, ref, seconds, secondsOf, upperCase } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restRecord)

const createdAt = field('DateTime!', 'created_at', seconds)

const updatedAt: GraphqlField = {
  type: 'DateTime!',
  columns: new Map([...(createdAt.columns ?? []), ['modified$', ref('records.modified_at')]]),
  resolve: (row, args, context) => secondsOf(row.modified$ ?? null) ?? createdAt.resolve(row, args, context),
}

export const record = defineType('Record', {
  table: 'records',
  fields: {
    annictId,
    comment: field('String', 'comment', (text) => text),
    commentsCount: field('Int!', 'comments_count'),
    createdAt,
    episode: one('Episode!', 'episode', ref('records.episode_id')),
    facebookClickCount: constant('Int!', 0),
    likesCount: field('Int!', 'likes_count'),
    modified: field('Boolean!', 'is_modified'),
    rating: field('Float', 'rating'),
    ratingState: field('RatingState', 'rating_state', upperCase),
    twitterClickCount: constant('Int!', 0),
    updatedAt,
    user: one('User!', 'user', ref('records.user_id')),
    work: one('Work!', 'work', ref('records.work_id')),
  },
})
