import { review as restReview } from '../../library/reviews'
import type { GraphqlField } from '../declare/field'
import { annictId, fieldsOf, one, ref, seconds, upperCase } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restReview)

const rating = (name: string) => field('RatingState', `rating_${name}_state`, upperCase)

const createdAt = field('DateTime!', 'created_at', seconds)
const modifiedAt = field('DateTime', 'modified_at', seconds)

const updatedAt: GraphqlField = {
  type: 'DateTime!',
  columns: new Map([...(createdAt.columns ?? []), ...(modifiedAt.columns ?? [])]),
  resolve: (row, args, context) =>
    modifiedAt.resolve(row, args, context) ?? createdAt.resolve(row, args, context),
}

export const review = defineType('Review', {
  table: 'reviews',
  fields: {
    annictId,
    body: field('String!', 'body'),
    createdAt,
    impressionsCount: field('Int!', 'impressions_count'),
    likesCount: field('Int!', 'likes_count'),
    modifiedAt,
    ratingAnimationState: rating('animation'),
    ratingCharacterState: rating('character'),
    ratingMusicState: rating('music'),
    ratingOverallState: rating('overall'),
    ratingStoryState: rating('story'),
    title: field('String', 'title', (text) => text),
    updatedAt,
    user: one('User!', 'user', ref('reviews.user_id')),
    work: one('Work!', 'work', ref('reviews.work_id')),
  },
})
