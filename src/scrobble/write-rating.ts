import type { OpenAct } from '../library/acts/write-act'
import { newOpinion } from '../library/ratings'
import type { DecidedPlay } from './decide'
import { episodeNumbered } from './write-plays'

/** Puts a rating from 0 to 10, 0 for none, on the newest record of the episode, or viewing of the film. False if there is none. */
export async function writeRating(
  act: OpenAct,
  { work, episode }: DecidedPlay,
  rating: number,
): Promise<{
  readonly isRated: boolean
  readonly episodeId?: number | undefined
  readonly recordId?: number
}> {
  const { tx, userId, now, log } = act
  const opinion = newOpinion({ score: Math.round(rating * 10) })
  if (episode === null) {
    const viewing = await tx
      .selectFrom('reviews') // uses reviews_user_work
      .select('id')
      .where('user_id', '=', userId)
      .where('work_id', '=', work.id)
      .where('watched_at', 'is not', null)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    if (viewing === undefined) return { isRated: false }
    const { score, rating_state: rating_overall_state } = opinion
    const change = { score, rating_overall_state, modified_at: now }
    await log.changed('reviews', work.id, viewing.id, () =>
      tx.updateTable('reviews').set(change).where('id', '=', viewing.id).execute(),
    )
    return { isRated: true }
  }
  const episodeId = await episodeNumbered(tx, { work: work.id, number: String(episode), place: episode - 1 })
  if (episodeId === undefined) return { isRated: false }
  const record = await tx
    .selectFrom('records') // uses records_user_episode
    .select('id')
    .where('user_id', '=', userId)
    .where('episode_id', '=', episodeId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (record === undefined) return { isRated: false }
  const change = { ...opinion, is_modified: 1, modified_at: now }
  await log.changed('records', work.id, record.id, () =>
    tx.updateTable('records').set(change).where('id', '=', record.id).execute(),
  )
  return { isRated: true, episodeId, recordId: record.id }
}
