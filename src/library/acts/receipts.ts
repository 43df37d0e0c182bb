import { sql } from 'kysely'
import type { Tx } from '../../db/write'

/** What came of a press: an act, or nothing, as it had been done before. `actId` is null for what is no act. */
export interface FormReceipt {
  readonly actId: number | null
  readonly result: 'done' | 'before'
}

/** A press as it was sent: `formId` of 22 characters of base64url, `at` in epoch milliseconds. */
export interface ReceivedPress {
  readonly userId: number
  readonly formId: string
  readonly at: number
}

export const formIdPattern = /^[A-Za-z0-9_-]{22}$/

/** The first answer to the same press; undefined if this is the first. */
export async function receiptOf(
  tx: Tx,
  { userId, formId }: Omit<ReceivedPress, 'at'>,
): Promise<FormReceipt | undefined> {
  const row = await tx
    .selectFrom('form_receipts')
    .select(['act_id', 'result'])
    .where('user_id', '=', userId)
    .where('form_id', '=', bytesOf(formId))
    .executeTakeFirst()
  return row && { actId: row.act_id, result: row.result === 'before' ? 'before' : 'done' }
}

/** In the transaction of what the press does (D107). */
export async function writeReceipt(
  tx: Tx,
  { userId, formId, at }: ReceivedPress,
  { actId, result }: FormReceipt,
): Promise<void> {
  await dropOldReceipts(tx, userId, at)
  await tx
    .insertInto('form_receipts')
    .values({ user_id: userId, form_id: bytesOf(formId), act_id: actId, result, created_at: at })
    .execute()
}

const bytesOf = (formId: string): Uint8Array => Uint8Array.fromBase64(formId, { alphabet: 'base64url' })

export const receiptMs = 90 * 86_400_000
export const mostReceipts = 10_000

/** At most 200 that are too old, and 200 beyond the newest, at once: a write stays short. Uses form_receipts_age. */
async function dropOldReceipts(tx: Tx, user: number, now: number): Promise<void> {
  await sql`delete from form_receipts where user_id = ${user} and form_id in (
    select form_id from (select form_id, created_at from form_receipts where user_id = ${user} order by created_at limit 200)
    where created_at < ${now - receiptMs}
    union all
    select form_id from (select form_id from form_receipts where user_id = ${user}
      order by created_at desc limit 200 offset ${mostReceipts - 1}))`.execute(tx)
}
