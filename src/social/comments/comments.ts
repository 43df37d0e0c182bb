import { nestedUser } from '../../accounts/users'
import { defineCommand } from '../../api/command'
import type { Endpoint } from '../../api/endpoint'
import { defineItem, itemSchema } from '../../api/item'
import { defineList } from '../../api/list'
import { filter } from '../../api/list-declaration'
import { computed, nested } from '../../api/nested-fields'
import { nullable } from '../../api/paging'
import { idParam } from '../../api/param-kinds'
import { alternative, param, required } from '../../api/params'
import { itemReader } from '../../api/read-item'
import { defineResource } from '../../api/resource'
import { dateTime, integer, text } from '../../api/schema'
import { byId } from '../../catalogue/filters'
import { isoTime } from '../../lib/time'
import { prose } from '../../values/text'
import { exactlyOne } from '../exactly-one'
import { deleteComment, insertComment, longestComment } from './write-comment'

/** Under a record or a review (D77). */
export const comment = defineResource('Comment', 'comments', ({ from }) => ({
  id: integer('Comment id', 901),
  body: text('What it says', '次は映画館で見ましょう'),
  created_at: from(dateTime('When it was written'), ['created_at'], (row) => isoTime(row.created_at)),
}))

const commentItem = defineItem('comments', comment, {
  user: nested(nestedUser, (eb) => eb.ref('comments.user_id')),
  record_id: idOf('record_id', 'The record that it stands under; null if it is a review', 501),
  review_id: idOf('review_id', 'The review that it stands under; null if it is a record', 31),
})

/** An extension (D77). */
const comments = defineList({
  path: '/v1/comments',
  tag: 'Records',
  summary: 'Extension: comments under a record or a review',
  key: 'comments',
  item: commentItem,
  rows: {},
  filters: {
    filter_record_id: under('record_id', 'The record; either this or filter_review_id is required', 501),
    filter_review_id: under('review_id', 'The review; either this or filter_record_id is required', 31),
  },
  sorts: { sort_id: byId },
})

const readComment = itemReader(commentItem)

const writeComment = defineCommand({
  method: 'POST',
  path: '/v1/me/comments',
  tag: 'Records',
  summary: 'Extension: comments on a record or a review',
  description:
    'Whoever sees the record or review can read it. Sending the same text again while it is the last comment there changes nothing. At most 30 comments within an hour, and 500 under one record or review.',
  params: {
    record_id: alternative(idParam('The record; either this or review_id', 501)),
    review_id: alternative(idParam('The review; either this or record_id', 31)),
    body: required(param(prose(longestComment), 'What it says', '次は映画館で見ましょう')),
  },
  answers: () => itemSchema(commentItem),
  errors: ['forbidden', 'not_found', 'rate_limited'],
  run: async ({ body, ...target }, call) => {
    const { deps, viewer } = call
    const on = exactlyOne(target)
    const comment = { userId: viewer.userId, on, body, at: deps.now() }
    const { id } = await deps.write((tx) => insertComment(tx, comment))
    return readComment(id, call)
  },
})

const removeComment = defineCommand({
  method: 'DELETE',
  path: '/v1/me/comments/:id',
  tag: 'Records',
  summary: 'Extension: deletes a comment that the caller wrote, or that stands under their record or review',
  params: { id: required(idParam('The comment', 901)) },
  errors: ['not_found'],
  run: async ({ id }, { deps, viewer }) => {
    await deps.write((tx) => deleteComment(tx, { userId: viewer.userId, id }))
    return null
  },
})

export const commentEndpoints: readonly Endpoint[] = [comments, writeComment, removeComment]

function idOf(column: 'record_id' | 'review_id', description: string, example: number) {
  return computed(
    nullable(integer(description, example)),
    (eb) => eb.ref(`comments.${column}`),
    (id) => id,
  )
}

function under(column: 'record_id' | 'review_id', description: string, example: number) {
  return filter(
    alternative(idParam(description, example)),
    (id) => ({ id }),
    // uses comments_record or comments_review
    (eb, slot) => eb(`comments.${column}`, '=', slot('id')),
  )
}
