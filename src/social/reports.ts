import { usernameParam } from '../accounts/filters'
import { defineCommand } from '../api/command'
import { idParam, wordParam } from '../api/param-kinds'
import { alternative, param, required } from '../api/params'
import type { Read } from '../db/open'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { invalidParams, notFound, rateLimited } from '../http/errors'
import { prose } from '../values/text'
import { tellAdministrators } from './notify'
import { type OwnLimit, waitBefore } from './own-limit'
import { isDeleted, seenRow } from './user-lookup'

const reportReasons = ['spam', 'harassment', 'spoiler', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

/** In code points. */
export const longestReport = 1000

export const reportText = prose(longestReport)

/** One person's reports within 24 hours. */
const limit: OwnLimit = { table: 'reports', writer: 'reporter_id', most: 20, within: 86_400_000 }

/** What is reported: a profile, a record, a review or a comment. */
export type ReportTarget =
  | { readonly name: 'username'; readonly id: string }
  | { readonly name: EntryName; readonly id: number }

type EntryName = 'record_id' | 'review_id' | 'comment_id'

/** `copy`: what it says now. */
export interface ReportedThing {
  readonly userId: number
  readonly username: string
  readonly copy: string
}

/** An extension. Reporting the same twice, while nobody has decided, is reporting it once. */
export const reportCommand = defineCommand({
  method: 'POST',
  path: '/v1/me/reports',
  tag: 'Users',
  summary: 'Extension: reports a profile, a record, a review or a comment to the administrators',
  description:
    'The administrators get a copy of what is reported, even of a private profile. At most 20 reports within 24 hours.',
  params: {
    username: alternative(
      usernameParam('The user whose profile it is; send exactly one of the four', 'ritsu'),
    ),
    record_id: alternative(idParam('The record', 501)),
    review_id: alternative(idParam('The review', 31)),
    comment_id: alternative(idParam('The comment', 17)),
    reason: required(wordParam(reportReasons, 'Why: spam, harassment, spoiler or other')),
    text: param(reportText, 'What the administrators should know', 'Tells the end in the first line.'),
  },
  errors: ['not_found', 'rate_limited'],
  run: async ({ reason, text = '', ...sent }, { deps, viewer }) => {
    const target = reportTarget(sent)
    if (target === undefined)
      throw invalidParams('Exactly one of username, record_id, review_id, comment_id is required.')
    const { wait } = await report(deps, viewer.userId, { target, reason, text })
    if (wait > 0) throw rateLimited(Math.ceil(wait / 1000), {})
    return null
  },
})

interface TargetValues {
  readonly username: string | undefined
  readonly record_id: number | undefined
  readonly review_id: number | undefined
  readonly comment_id: number | undefined
}

/** Undefined unless exactly one of them is sent. */
export function reportTarget({ username, ...ids }: TargetValues): ReportTarget | undefined {
  const sent: ReportTarget[] = []
  if (username !== undefined) sent.push({ name: 'username', id: username })
  for (const name of entryNames) {
    const id = ids[name]
    if (id !== undefined) sent.push({ name, id })
  }
  return sent.length === 1 ? sent[0] : undefined
}

interface NewReport {
  readonly target: ReportTarget
  readonly reason: ReportReason
  readonly text: string
}

/**
 * Keeps a copy of what is reported. `wait`: milliseconds until this person can report again, 0 if it was done. Throws
 * not_found, or invalid_params for one's own.
 */
export async function report(
  deps: Pick<Deps, 'write' | 'now'>,
  reporterId: number,
  { target, reason, text }: NewReport,
): Promise<{ readonly wait: number }> {
  const { name, id } = target
  return await deps.write(async (tx) => {
    // Only what they may see, like everything else that is addressed to somebody.
    if (name !== 'username') await seenRow(tx, reporterId, tables[name], id)
    const thing = await reportedThing(tx, target)
    if (thing === undefined) throw notFound('The user')
    const { userId, copy } = thing
    if (userId === reporterId)
      throw invalidParams(`${name} must not be the caller's own: users cannot report themselves.`)
    const about = {
      user_id: userId,
      record_id: name === 'record_id' ? id : null,
      review_id: name === 'review_id' ? id : null,
      comment_id: name === 'comment_id' ? id : null,
    }
    if (await isReported(tx, reporterId, about)) return { wait: 0 }
    const wait = await waitBefore(tx, limit, reporterId, deps.now())
    if (wait > 0) return { wait }
    const row = { ...about, reporter_id: reporterId, reason, text, copy, created_at: deps.now() }
    const { id: made } = await tx.insertInto('reports').values(row).returning('id').executeTakeFirstOrThrow()
    await tellAdministrators(tx, { report: made, by: reporterId, about: userId, at: deps.now() })
    return { wait: 0 }
  })
}

/** As far as `db` sees it: a write finds all, so it asks `seenRow` first. Undefined if there is no such thing to report. */
export async function reportedThing(
  db: Read | Tx,
  { name, id }: ReportTarget,
): Promise<ReportedThing | undefined> {
  if (name === 'username') return await reportedProfile(db, id)
  const table = tables[name]
  return await db
    .selectFrom(table)
    .innerJoin('users', 'users.id', `${table}.user_id`)
    .select(['users.id as userId', 'users.username', `${textColumns[table]} as copy`])
    .where(`${table}.id`, '=', id)
    .executeTakeFirst()
}

const tables = { record_id: 'records', review_id: 'reviews', comment_id: 'comments' } as const
const entryNames = ['record_id', 'review_id', 'comment_id'] as const satisfies readonly EntryName[]

const textColumns = {
  records: 'records.comment',
  reviews: 'reviews.body',
  comments: 'comments.body',
} as const

async function reportedProfile(db: Read | Tx, username: string): Promise<ReportedThing | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'description', 'url'])
    .where('username_key', '=', username.toLowerCase())
    .executeTakeFirst()
  if (user === undefined || (await isDeleted(db, user.id))) return undefined
  const copy = [user.name, user.description, user.url ?? ''].filter((text) => text !== '').join('\n')
  return { userId: user.id, username: user.username, copy }
}

interface ReportedIds {
  readonly user_id: number
  readonly record_id: number | null
  readonly review_id: number | null
  readonly comment_id: number | null
}

// uses reports_once
async function isReported(tx: Tx, reporterId: number, about: ReportedIds): Promise<boolean> {
  const { user_id, record_id, review_id, comment_id } = about
  const same = await tx
    .selectFrom('reports')
    .select('id')
    .where('reporter_id', '=', reporterId)
    .where('user_id', '=', user_id)
    .where('record_id', 'is', record_id)
    .where('review_id', 'is', review_id)
    .where('comment_id', 'is', comment_id)
    .where('closed_at', 'is', null)
    .execute()
  return same.length > 0
}
