import type { RawValues } from '../../http/request-values'
import { textOrBlank } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import type { PageContent } from '../../pages/layout'
import { dropComment, writeComment } from '../../social/comments/comment-acts'
import {
  type CommentedOn,
  CommentRefused,
  longestComment,
  type WhyRefused,
} from '../../social/comments/write-comment'
import { positiveInteger } from '../../values/number'
import { prose } from '../../values/text'
import { InvalidValue, orBlank, readIfValid, type Value } from '../../values/value'
import type { PageRoute } from '../../web/page'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { defineAct, id } from '../acts/act-route'
import { showMeeting } from '../meeting/page'
import { findMeeting } from '../meeting/view'
import { findEntry } from './entry'
import { showThread } from './page'

const text = prose(longestComment)

/** Browsers send a line break as CR LF, which would count as two characters. */
const body: Value<string> = {
  ...text,
  read: (sent, now) => {
    const read = text.read(sent.replaceAll('\r\n', '\n'), now)
    return read === '' ? new InvalidValue((t) => t.values.required) : read
  },
}

const onePositive = orBlank(id, undefined)

export const commentRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/comments',
    values: { record_id: onePositive, review_id: onePositive, meeting_id: onePositive, body },
    run: async ({ deps, session }, { body, ...ids }) => {
      const on = commentedOn(ids)
      return await writeComment(deps, session.userId, { on, body }).catch((cause: unknown) => {
        throw cause instanceof CommentRefused ? problemOf(cause) : cause
      })
    },
    refuse: threadWithProblem,
  }),
  defineAct({
    path: '/comments/delete',
    values: { comment_id: id },
    run: ({ deps, session }, { comment_id }) => dropComment(deps, session.userId, { commentId: comment_id }),
  }),
]

interface EntryIds {
  readonly record_id: number | undefined
  readonly review_id: number | undefined
  readonly meeting_id: number | undefined
}

function commentedOn(ids: EntryIds): CommentedOn {
  const names = ['record_id', 'review_id', 'meeting_id'] as const
  const [sent, ...more] = names.flatMap((name) => {
    const id = ids[name]
    return id === undefined ? [] : [{ name, id }]
  })
  if (sent !== undefined && more.length === 0) return sent
  throw new FormProblem('record_id', (t) => t.values.required)
}

const words: Readonly<Record<WhyRefused, Message>> = {
  closed: (t) => t.thread.closedNow,
  full: (t) => t.thread.full,
  often: (t) => t.thread.often,
}

const problemOf = ({ why, status, headers }: CommentRefused) =>
  new FormProblem('body', words[why], why === 'full' ? 422 : status, headers)

/** The thread again, with what was typed. */
async function threadWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const idOf = (name: string) => readIfValid(positiveInteger, textOrBlank(sent, name))
  const typed = { text: textOrBlank(sent, 'body'), problem }
  const meeting = idOf('meeting_id')
  if (meeting !== undefined) return await showMeeting(visit, await findMeeting(visit, meeting), typed)
  const record = idOf('record_id')
  const kind = record === undefined ? 'review' : 'record'
  const entry = await findEntry(visit, kind, record ?? idOf('review_id') ?? 0)
  return await showThread(visit, entry, typed)
}
