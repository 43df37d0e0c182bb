import { defineCommand } from '../api/command'
import { idParam } from '../api/param-kinds'
import { anyRow, visibleRow } from '../catalogue/lookups'
import { exactlyOne } from './exactly-one'

const tables = { character_id: 'characters', person_id: 'people', organization_id: 'organizations' } as const

const params = {
  character_id: idParam('The character; send exactly one of the three', 61),
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
      const id = await visibleRow(tx, tables[target.name], target.id, kindOf(target.name))
      await tx
        .insertInto('favorites')
        .values({ user_id: viewer.userId, [target.name]: id, created_at: deps.now() })
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
