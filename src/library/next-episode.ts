import { sql } from 'kysely'
import { defineCommand } from '../api/command'
import { itemSchema } from '../api/item'
import { idParam } from '../api/param-kinds'
import { required } from '../api/params'
import { itemReader } from '../api/read-item'
import { episodeItem } from '../catalogue/episodes'
import { isGrowing } from '../catalogue/estimate/broadcast-rule'
import { visibleWork } from '../catalogue/lookups'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import { invalidParams } from '../http/errors'

const readEpisode = itemReader(episodeItem)

export const maxEpisodes = 2000

/** Id, in 0001_imports.sql, of the source of rows added by members. */
export const memberSource = 3

/** An extension: adds an episode to a work whose list is estimated or unknown (D62). */
export const addEpisode = defineCommand({
  method: 'POST',
  path: '/v1/me/episodes',
  tag: 'Records',
  summary: 'Extension: adds the next episode of a work whose list of episodes is estimated or unknown',
  description:
    'For an episode that the catalogue does not have yet. Until someone records the last added episode, ' +
    'that episode is returned again.',
  params: { work_id: required(idParam('The work', 4568)) },
  answers: () => itemSchema(episodeItem),
  errors: ['not_found'],
  run: async ({ work_id }, call) => {
    const { id } = await call.deps.write(async (tx) => nextEpisode(tx, await visibleWork(tx, work_id)))
    return readEpisode(id, call)
  },
})

interface NextEpisode {
  readonly id: number
  readonly isNew: boolean
}

/** Adds it, unless the last added one is not recorded yet. Throws invalid_params for a list that does not grow. */
export async function nextEpisode(tx: Tx, work_id: number): Promise<NextEpisode> {
  const last = await lastOfGrowing(tx, work_id)
  if (last?.source_id === memberSource && last.is_recorded === 0) return { id: last.id, isNew: false }
  const next = episodeAfter(last, 1)
  if (Math.max(Number(next.number), next.sort_number / 10) > maxEpisodes)
    throw invalidParams(`work_id must be the id of a work with fewer than ${maxEpisodes} episodes.`)
  const { id } = await tx
    .insertInto('episodes')
    .values({ work_id, ...next, estimated: 1, source_id: memberSource })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, isNew: true }
}

/** The last episode of a list that may grow. Throws invalid_params for another one. */
async function lastOfGrowing(tx: Tx, work_id: number) {
  const { no_episodes, is_growing } = await tx
    .selectFrom('works')
    .select(['no_episodes', sql.raw<number>(isGrowing).as('is_growing')])
    .where('id', '=', work_id)
    .executeTakeFirstOrThrow()
  if (no_episodes === 1)
    throw invalidParams('work_id must be the id of a work with episodes; for a film, record a viewing.')
  if (is_growing === 0)
    throw invalidParams('work_id must be the id of a work whose episodes are not all listed.')
  return await lastEpisode(tx, work_id)
}

/** Makes a list that may grow reach a number. Returns the shown episode of that number, and what was added. */
export async function growTo(
  tx: Tx,
  work_id: number,
  number: number,
): Promise<{ readonly last: number; readonly added: readonly number[] }> {
  const before = await lastOfGrowing(tx, work_id)
  const lacking = Math.min(number, maxEpisodes) - numberOf(before?.number ?? '')
  const added = lacking > 0 ? await addEpisodes(tx, work_id, lacking) : []
  const last = await tx
    .selectFrom('episodes')
    .select('id')
    .where('work_id', '=', work_id) // uses episodes_work
    .where('hidden', '=', 0)
    .where('number', '=', String(number))
    .orderBy('sort_number')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) throw invalidParams('number must be the number of an episode, at most 2000.')
  return { last: last.id, added }
}

/** Whether a list, which is of a work with episodes, may grow and lacks a number beyond its last one. */
export async function canGrowTo(tx: Tx, work_id: number, number: number): Promise<boolean> {
  const { is_growing } = await tx
    .selectFrom('works')
    .select(sql.raw<number>(isGrowing).as('is_growing'))
    .where('id', '=', work_id)
    .executeTakeFirstOrThrow()
  const last = await lastEpisode(tx, work_id)
  return is_growing === 1 && number > numberOf(last?.number ?? '') && number <= maxEpisodes
}

/** Adds `count` episodes to a list that may grow, which the caller has checked. Returns their ids in list order. */
export async function addEpisodes(tx: Tx, work_id: number, count: number): Promise<readonly number[]> {
  const last = await lastEpisode(tx, work_id)
  const episodes = Array.from({ length: count }, (_, at) => episodeAfter(last, at + 1))
  const added = await insertSeveral(tx, { work_id, episodes: JSON.stringify(episodes) })
  return added.map(({ id }) => id)
}

const insertSeveral = preparedSql<{ id: number }, { work_id: number; episodes: string }>(
  (slot) => sql`
    insert into episodes (work_id, number, number_text, sort_number, estimated, source_id)
    select ${slot('work_id')}, value ->> 'number', value ->> 'number_text', value ->> 'sort_number', 1, ${sql.lit(memberSource)}
    from json_each(${slot('episodes')}) order by key returning id`,
)

function episodeAfter(last: { number: string | null; sort_number: number } | undefined, places: number) {
  const number = numberOf(last?.number ?? '') + places
  const sort_number = (last?.sort_number ?? 0) + places * 10
  return { number: String(number), number_text: `第${number}話`, sort_number }
}

/** Includes hidden episodes: their numbers are used up. */
const lastEpisode = (tx: Tx, work_id: number) =>
  tx
    .selectFrom('episodes')
    .select(['id', 'number', 'sort_number', 'source_id'])
    // Its counter is of what is shared (D74).
    .select(sql<number>`exists (select 1 from records where episode_id = episodes.id)`.as('is_recorded'))
    .where('work_id', '=', work_id)
    .orderBy('sort_number', 'desc') // uses episodes_work_place
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

const numberOf = (number: string): number => (/^[0-9]{1,4}$/.test(number) ? Number(number) : 0)
