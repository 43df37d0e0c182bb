import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import type { YearFigures } from '../counting/year'
import type { Act, ActDeps } from './act'
import { writeAct } from './write-act'

export const shareAudiences = ['members', 'public'] as const
export type ShareAudience = (typeof shareAudiences)[number]

interface NewShare {
  /** `2026` or `2025-04`. */
  readonly period: string
  readonly audience: ShareAudience
  /** Of the owner's, without what is private. */
  readonly figures: YearFigures
  /** Of a file among the images. */
  readonly picture: string | null
}

/** Shares a copy of these figures (D91), in place of the one that the period had. */
export const shareYear = (
  deps: ActDeps,
  userId: number,
  { period, audience, figures, picture }: NewShare,
): Promise<Act> =>
  writeAct(deps, userId, 'year_share', async ({ tx, log, now }) => {
    const copy = { audience, figures: JSON.stringify(figures), picture_hash: picture, created_at: now }
    const known = await shareOf(tx, userId, period)
    if (known !== undefined) {
      await log.changed('shares', 0, known.id, () =>
        tx.updateTable('shares').set(copy).where('id', '=', known.id).execute(),
      )
      return { workId: 0 }
    }
    const { id } = await tx
      .insertInto('shares')
      .values({ user_id: userId, period, ...copy })
      .returning('id')
      .executeTakeFirstOrThrow()
    await log.inserted('shares', 0, id)
    return { workId: 0 }
  })

/** Throws not_found for a year that is not shared. */
export const unshareYear = (
  deps: ActDeps,
  userId: number,
  { period }: Pick<NewShare, 'period'>,
): Promise<Act> =>
  writeAct(deps, userId, 'year_unshare', async ({ tx, log }) => {
    const known = await shareOf(tx, userId, period)
    if (known === undefined) throw notFound('The share')
    await log.deleting('shares', 0, known.id)
    await tx.deleteFrom('shares').where('id', '=', known.id).execute()
    return { workId: 0 }
  })

const shareOf = (tx: Tx, userId: number, period: string) =>
  tx
    .selectFrom('shares')
    .select('id')
    .where('user_id', '=', userId)
    .where('period', '=', period)
    .executeTakeFirst()
