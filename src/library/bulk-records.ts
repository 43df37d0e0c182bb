import Type from 'typebox'
import { visibleEpisodes } from '../catalogue/lookups'
import { arrayOf, bytesOf, joined } from '../http/bytes'
import { defineCommand } from '../http/command'
import { itemSchema } from '../http/item'
import { itemsReader } from '../http/one'
import { idList, pastTime, required } from '../http/params'
import { ratingStateParam } from './ratings'
import { recordItem } from './records'

const readRecords = itemsReader(recordItem)

/** POST /v1/me/records/bulk, an extension: records several episodes in one action (D26, D52). */
export const createRecords = defineCommand({
  method: 'POST',
  path: '/v1/me/records/bulk',
  tag: 'Records',
  summary: 'Extension: records several episodes at once',
  description:
    'Episodes the caller has recorded already are left as they are. One create_multiple_records activity per work.',
  params: {
    episode_ids: required(idList('The episodes, in the order they were watched')),
    rating_state: ratingStateParam('Rating of each'),
    watched_at: pastTime('When they were watched; now unless said'),
  },
  answers: Type.Object({ records: Type.Array(itemSchema(recordItem as never)) }),
  errors: ['not_found'],
  run: async ({ episode_ids, rating_state, watched_at }, call) => {
    const { now, write } = call.deps
    const user_id = call.viewer.userId
    const ids = await write(async (tx) => {
      const wanted = [...new Set(episode_ids)]
      const episodes = await visibleEpisodes(tx, wanted)
      const own = await tx
        .selectFrom('records')
        .select(['id', 'episode_id'])
        .where('user_id', '=', user_id)
        .where('episode_id', 'in', wanted)
        .orderBy('id')
        .execute()
      const known = new Map(own.map(({ id, episode_id }) => [episode_id, id]))
      const activities = new Map<number, number>()
      for (const { id: episode_id, work_id } of episodes) {
        if (known.has(episode_id)) continue
        const row = { user_id, work_id, episode_id, rating_state: rating_state ?? null }
        const times = { watched_at: watched_at ?? now(), created_at: now() }
        const [made] = await tx
          .insertInto('records')
          .values({ ...row, ...times })
          .returning('id')
          .execute()
        const record_id = made?.id ?? 0
        known.set(episode_id, record_id)
        const activity_id =
          activities.get(work_id) ?? (await multipleActivity(tx, { user_id, work_id, created_at: now() }))
        activities.set(work_id, activity_id)
        await tx.insertInto('activity_records').values({ activity_id, record_id }).execute()
      }
      return episodes.flatMap(({ id }) => known.get(id) ?? [])
    })
    const records = await readRecords(ids, call)
    return joined([bytesOf('{"records":'), ...arrayOf(records), bytesOf('}')])
  },
})

async function multipleActivity(
  tx: Parameters<typeof visibleEpisodes>[0],
  row: { user_id: number; work_id: number; created_at: number },
) {
  const activity = { ...row, action: 'create_multiple_records' }
  const [made] = await tx.insertInto('activities').values(activity).returning('id').execute()
  return made?.id ?? 0
}
