import { defineCommand } from '../api/command'
import { idParam } from '../api/param-kinds'
import { findSurvivor } from '../catalogue/survivors'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { exactlyOne } from './exactly-one'

const tables = { character_id: 'characters', person_id: 'people', organization_id: 'organizations' } as const
type Target = { name: keyof typeof tables; id: number }

const params = {
  character_id: idParam('The character; one of the three is sent', 61),
  person_id: idParam('The person', 71),
  organization_id: idParam('The organization', 81),
}

/** An extension (D52). */
export const addFavorite = defineCommand({
  method: 'POST',
  path: '/v1/me/favorites',
  tag: 'Catalogue',
  summary: 'Extension: makes a character, person or organization a favorite',
  params,
  errors: ['not_found'],
  run: async (values, { deps, viewer }) => {
    const target = exactlyOne(values)
    await deps.write(async (tx) => {
      const { id, hidden } = await findTarget(tx, target)
      if (hidden !== 0) throw unknown(target)
      await tx
        .insertInto('favorites')
        .values({ user_id: viewer.userId, [target.name]: id, created_at: deps.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    return null
  },
})

/** Also one that was hidden since. */
export const removeFavorite = defineCommand({
  method: 'DELETE',
  path: '/v1/me/favorites',
  tag: 'Catalogue',
  summary: 'Extension: takes a favorite back',
  params,
  errors: ['not_found'],
  run: async (values, { deps, viewer }) => {
    const target = exactlyOne(values)
    await deps.write(async (tx) => {
      const { id } = await findTarget(tx, target)
      await tx
        .deleteFrom('favorites')
        .where(target.name, '=', id)
        .where('user_id', '=', viewer.userId)
        .execute()
    })
    return null
  },
})

/** Follows merges (D67). Throws not_found. */
async function findTarget(tx: Tx, target: Target): Promise<{ id: number; hidden: number }> {
  const row = await findSurvivor(tx, tables[target.name], target.id)
  if (row === undefined) throw unknown(target)
  return row
}

const unknown = ({ name }: Target) => notFound(`The ${name.replace('_id', '')}`)
