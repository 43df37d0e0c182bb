import { GraphQLError } from 'graphql'
import { sql } from 'kysely'
import { isListedUser } from '../../accounts/users'
import { isShown } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Fields } from '../declare/field'
import { many } from '../declare/list'
import { annictIds } from '../filters/ids'
import { byPlace, createdById, workOrders } from '../filters/orders'
import { checkIds } from '../filters/rules'
import { anyText } from '../filters/texts'
import { workFilters } from '../filters/works'
import { findNodes } from './node'

const maxNodes = 500

const usersNamed = prepared((read, slot: SlotOf<{ key: string }>) =>
  read.selectFrom('users').select('id').where('username_key', '=', slot('key')).where(isListedUser),
)

/** A list of a catalogue table that can be searched by name. */
const named = (of: string, table: 'characters' | 'organizations' | 'people', favorites: string) =>
  many({
    of,
    from: sql.table(table),
    id: sql.ref(`${table}.id`),
    where: () => isShown(table),
    orders: {
      ...createdById(table),
      [favorites.toUpperCase()]: { by: sql.ref(`${table}.${favorites}`) },
    },
    filters: { annictIds: annictIds(table), names: anyText(table, 'names') },
  })

export const query: Fields = {
  node: {
    type: 'Node',
    args: { id: 'ID!' },
    resolve: async (_, { id }, context) => {
      const [found] = await findNodes([String(id)], context)
      return found ?? new GraphQLError('not found: no object has this id')
    },
  },
  nodes: {
    type: '[Node]!',
    args: { ids: '[ID!]!' },
    resolve: (_, { ids }, context) => {
      checkIds('ids', ids as string[], maxNodes)
      context.budget.takeRows((ids as string[]).length)
      return findNodes(ids as string[], context)
    },
  },
  searchCharacters: named('Character', 'characters', 'favorite_characters_count'),
  searchEpisodes: many({
    of: 'Episode',
    from: sql`episodes`,
    id: sql.ref('episodes.id'),
    where: () => isShown('episodes'),
    orders: byPlace('episodes'),
    filters: { annictIds: annictIds('episodes') },
  }),
  searchOrganizations: named('Organization', 'organizations', 'favorite_organizations_count'),
  searchPeople: named('Person', 'people', 'favorite_people_count'),
  searchWorks: many({
    of: 'Work',
    from: sql`works`,
    id: sql.ref('works.id'),
    where: () => isShown('works'),
    orders: workOrders,
    filters: workFilters,
  }),
  user: {
    type: 'User',
    args: { username: 'String!' },
    resolve: async (_, { username }, { call, rows }) => {
      const [found] = await usersNamed(call.deps.read, { key: String(username).toLowerCase() })
      return found === undefined ? null : rows.load('User', found.id)
    },
  },
  viewer: { type: 'User', resolve: (_, __, { rows, viewerId }) => rows.load('User', viewerId) },
}
