import { sql } from 'kysely'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { findSurvivor, type MergeableTable, survivor } from './survivors'

export const visibleWork = (tx: Tx, id: number) => visibleRow(tx, 'works', id, 'The work')

export const anyWork = (tx: Tx, id: number) => anyRow(tx, 'works', id, 'The work')

/** Follows merges (D67). Throws not_found for `what` if the row is missing or hidden (D42). */
export async function visibleRow(tx: Tx, table: MergeableTable, id: number, what: string): Promise<number> {
  const row = await findSurvivor(tx, table, id)
  if (row?.hidden !== 0) throw notFound(what)
  return row.id
}

export async function anyRow(tx: Tx, table: MergeableTable, id: number, what: string): Promise<number> {
  const row = await findSurvivor(tx, table, id)
  if (row === undefined) throw notFound(what)
  return row.id
}

/** Follows merges (D67). Throws not_found for a missing or hidden episode (D42). */
export async function visibleEpisode(tx: Tx, id: number): Promise<VisibleEpisode> {
  // Not a list of one: building its table would take several times as long as the look-up.
  const [episode] = await shownEpisode(tx, { id })
  if (episode === undefined) throw noEpisode(id)
  return episode
}

/** In the given order; duplicates (also through merged ids) once, under the first id. */
export async function visibleEpisodes(tx: Tx, ids: readonly number[]): Promise<VisibleEpisode[]> {
  const rows = await shownEpisodes(tx, { ids: JSON.stringify(ids) })
  const found = new Map(rows.map(({ asked, ...episode }) => [asked, episode]))
  const episodes = new Map<number, VisibleEpisode>()
  for (const id of ids) {
    const episode = found.get(id)
    if (episode === undefined) throw noEpisode(id)
    if (!episodes.has(episode.id)) episodes.set(episode.id, episode)
  }
  return [...episodes.values()]
}

interface VisibleEpisode {
  readonly id: number
  readonly work_id: number
}

const shownEpisode = prepared((tx: Tx, slot: SlotOf<{ id: number }>) =>
  tx
    .selectFrom('episodes')
    .select(['id', 'work_id'])
    .where('id', '=', survivor('episodes', slot('id')))
    .where('hidden', '=', 0),
)

const shownEpisodes = prepared((tx: Tx, slot: SlotOf<{ ids: string }>) =>
  tx
    .selectFrom(sql<{ value: number }>`json_each(${slot('ids')})`.as('asked'))
    .innerJoin('episodes', (join) =>
      join.on('episodes.id', '=', survivor('episodes', sql.ref<number>('asked.value'))),
    )
    .select(['asked.value as asked', 'episodes.id', 'episodes.work_id'])
    .where('episodes.hidden', '=', 0),
)

const noEpisode = (id: number) => notFound(`The episode ${id}`)
