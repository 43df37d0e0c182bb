import { sql } from 'kysely'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'

/** Throws not_found for a work that cannot be written about: it does not exist, or is hidden (D42). */
export async function visibleWork(tx: Tx, id: number): Promise<void> {
  if ((await hiddenOf(tx, id)) !== 0) throw notFound('The work')
}

/** Throws not_found for a work that does not exist; a hidden one will do. */
export async function anyWork(tx: Tx, id: number): Promise<void> {
  if ((await hiddenOf(tx, id)) === undefined) throw notFound('The work')
}

async function hiddenOf(tx: Tx, id: number): Promise<number | undefined> {
  const [work] = await workRow(tx, { id })
  return work?.hidden
}

const workRow = prepared((tx: Tx, slot: SlotOf<{ id: number }>) =>
  tx.selectFrom('works').select('hidden').where('id', '=', slot('id')),
)

/** An episode that can be recorded. Throws not_found for one that does not exist or is hidden (D42). */
export async function visibleEpisode(tx: Tx, id: number): Promise<VisibleEpisode> {
  // Not by a list of one: making a table of that takes several times what finding the episode does.
  const [episode] = await shownEpisode(tx, { id })
  if (episode === undefined) throw noEpisode(id)
  return episode
}

/** The same for several, in the order asked for. */
export async function visibleEpisodes(tx: Tx, ids: readonly number[]): Promise<VisibleEpisode[]> {
  const rows = await shownEpisodes(tx, { ids: JSON.stringify(ids) })
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const episode = found.get(id)
    if (episode === undefined) throw noEpisode(id)
    return episode
  })
}

interface VisibleEpisode {
  readonly id: number
  readonly work_id: number
}

const shownEpisode = prepared((tx: Tx, slot: SlotOf<{ id: number }>) =>
  shown(tx).where('id', '=', slot('id')),
)

const shownEpisodes = prepared((tx: Tx, slot: SlotOf<{ ids: string }>) =>
  shown(tx).where('id', 'in', sql<number>`(select value from json_each(${slot('ids')}))`),
)

const shown = (tx: Tx) => tx.selectFrom('episodes').select(['id', 'work_id']).where('hidden', '=', 0)

const noEpisode = (id: number) => notFound(`The episode ${id}`)
