import Type from 'typebox'
import { defineCommand } from '../api/command'
import { itemSchema } from '../api/item'
import { idsParam } from '../api/param-kinds'
import { required } from '../api/params'
import { itemsReader } from '../api/read-item'
import { visibleEpisodes } from '../catalogue/lookups'
import type { Tx } from '../db/write'
import { arrayOf, bytesOf, joined } from '../http/bytes'
import { flagColumn, privateParam } from './flags'
import { type WritingToken, writingTokenOf } from './new-activity'
import { recordSeveral, type SharedColumns } from './new-record'
import { newOpinion, ratingStateParam, scoreParam } from './ratings'
import { recordItem } from './records'
import { watchedOf, watchedParams } from './watched'

const readRecords = itemsReader(recordItem)

/** An extension: one activity per work (D26, D52). */
export const createRecords = defineCommand({
  method: 'POST',
  path: '/v1/me/records/bulk',
  tag: 'Records',
  summary: 'Extension: records several episodes at once',
  description:
    'Episodes that the caller has already recorded are not changed. Adds one create_multiple_records activity per work.',
  params: {
    episode_ids: required(idsParam('The episodes, in the order they were watched')),
    rating_state: ratingStateParam('Rating of each'),
    score: scoreParam,
    ...watchedParams('they were'),
    private: privateParam('them'),
  },
  answers: () => Type.Object({ records: Type.Array(itemSchema(recordItem)) }),
  items: 'records',
  errors: ['not_found'],
  run: async ({ episode_ids, rating_state, score, watched_at, watched_at_precision, ...flags }, call) => {
    const now = call.deps.now()
    const each = {
      user_id: call.viewer.userId,
      comment: '',
      ...newOpinion({ rating_state, score }),
      share_twitter: 0,
      share_facebook: 0,
      ...watchedOf(watched_at, watched_at_precision, now),
      created_at: now,
      private: flagColumn(flags.private) ?? null,
    }
    const wanted = [...new Set(episode_ids)]
    const ids = await call.deps.write((tx) =>
      recordOnce(tx, { wanted, each, writer: writingTokenOf(call.viewer) }),
    )
    const records = await readRecords(ids, call)
    return joined([bytesOf('{"records":'), ...arrayOf(records), bytesOf('}')])
  },
})

/** Skips episodes that the user has recorded; returns a record's id for every episode, in their order. */
async function recordOnce(
  tx: Tx,
  {
    wanted,
    each,
    writer,
  }: { readonly wanted: readonly number[]; readonly each: SharedColumns; readonly writer: WritingToken },
): Promise<number[]> {
  const episodes = await visibleEpisodes(tx, wanted)
  const known = await ownRecords(
    tx,
    each.user_id,
    episodes.map(({ id }) => id),
  )
  const missing = episodes.filter(({ id }) => !known.has(id))
  const made = await recordSeveral(tx, missing, each, writer)
  for (const [at, { id }] of missing.entries()) known.set(id, made[at] ?? 0)
  return episodes.flatMap(({ id }) => known.get(id) ?? [])
}

async function ownRecords(tx: Tx, userId: number, episodes: readonly number[]): Promise<Map<number, number>> {
  // uses records_user_episode
  const own = await tx
    .selectFrom('records')
    .select(['id', 'episode_id'])
    .where('user_id', '=', userId)
    .where('episode_id', 'in', episodes)
    .orderBy('id')
    .execute()
  return new Map(own.map(({ id, episode_id }) => [episode_id, id]))
}
