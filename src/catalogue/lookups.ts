import type { Tx } from '../db/write'
import { notFound } from '../http/errors'

/** A work that can be written about. Throws not_found for one that does not exist or is hidden (D42). */
export async function visibleWork(tx: Tx, id: number): Promise<{ id: number }> {
  const [work] = await tx
    .selectFrom('works')
    .select('id')
    .where('id', '=', id)
    .where('hidden', '=', 0)
    .execute()
  if (work === undefined) throw notFound('The work')
  return work
}

/** Episodes that can be recorded, in the order asked for. Throws not_found where one does not exist or is hidden (D42). */
export async function visibleEpisodes(
  tx: Tx,
  ids: readonly number[],
): Promise<{ id: number; work_id: number }[]> {
  const found = await tx
    .selectFrom('episodes')
    .select(['id', 'work_id'])
    .where('id', 'in', [...ids])
    .where('hidden', '=', 0)
    .execute()
  return ids.map((id) => {
    const episode = found.find((row) => row.id === id)
    if (episode === undefined) throw notFound(`The episode ${id}`)
    return episode
  })
}
