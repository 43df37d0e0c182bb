import { sql } from 'kysely'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { findSurvivor, survivor } from './survivors'

/**
 * The id of a work that can be written about; a merged one means the work it is part of (D67). Throws not_found where it
 * does not exist, or is hidden (D42).
 */
export async function visibleWork(tx: Tx, id: number): Promise<number> {
  const work = await findSurvivor(tx, 'works', id)
  if (work?.hidden !== 0) throw notFound('The work')
  return work.id
}

/** The same; a hidden one will do. */
export async function anyWork(tx: Tx, id: number): Promise<number> {
  const work = await findSurvivor(tx, 'works', id)
  if (work === undefined) throw notFound('The work')
  return work.id
}

/**
 * An episode that can be recorded; a merged one means the episode it is part of (D67). Throws not_found for one that does
 * not exist or is hidden (D42).
 */
export async function visibleEpisode(tx: Tx, id: number): Promise<VisibleEpisode> {
  // Not by a list of one: making a table of that takes several times what finding the episode does.
  const [episode] = await shownEpisode(tx, { id })
  if (episode === undefined) throw noEpisode(id)
  return episode
}

/** The same for several, in the order asked for; each once, by whichever id it was asked for first. */
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
