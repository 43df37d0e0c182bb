import { defineCommand } from '../api/command'
import { idParam } from '../api/param-kinds'
import { anyRow, visibleRow } from '../catalogue/lookups'
import { exactlyOne } from './exactly-one'
import { deleteFavoriteWork, insertFavoriteWork } from './favorite-works'

const tables = {
  work_id: 'works',
  character_id: 'characters',
  person_id: 'people',
  organization_id: 'organizations',
} as const

const params = {
  work_id: idParam('The work, of which one can have ten; send exactly one of the four', 1),
  character_id: idParam('The character', 61),
  person_id: idParam('The person', 71),
  organization_id: idParam('The organization', 81),
}

/** An extension (D52). */
export const addFavorite = defineCommand({
  method: 'POST',
  path: '/v1/me/favorites',
  tag: 'Catalogue',
  summary: 'Extension: makes a work, character, person or organization a favorite',
  params,
  errors: ['not_found'],
  run: async (values, { deps, viewer }) => {
    const target = exactlyOne(values)
    await deps.write(async (tx) => {
      const id = await visibleRow(tx, tables[target.name], target.id, kindOf(target.name))
      const now = deps.now()
      if (target.name === 'work_id')
        return await insertFavoriteWork(tx, { user: viewer.userId, work: id, now })
      await tx
        .insertInto('favorites')
        .values({ user_id: viewer.userId, [target.name]: id, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    return null
  },
})

/** Also works for one that has been hidden since. */
export const removeFavorite = defineCommand({
  method: 'DELETE',
  path: '/v1/me/favorites',
  tag: 'Catalogue',
  summary: 'Extension: removes a favorite',
  params,
  errors: ['not_found'],
  run: async (values, { deps, viewer }) => {
    const target = exactlyOne(values)
    await deps.write(async (tx) => {
      const id = await anyRow(tx, tables[target.name], target.id, kindOf(target.name))
      if (target.name === 'work_id') return await deleteFavoriteWork(tx, { user: viewer.userId, work: id })
      await tx
        .deleteFrom('favorites')
        .where(target.name, '=', id)
        .where('user_id', '=', viewer.userId)
        .execute()
    })
    return null
  },
})

const kindOf = (name: keyof typeof tables) => `The ${name.replace('_id', '')}`
