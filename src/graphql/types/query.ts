import { GraphQLError } from 'graphql'
import { sql } from 'kysely'
import { isListedUser } from '../../accounts/users'
import { isShown } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Context, GraphqlFields } from '../declare/field'
import { fromGlobalId, type GlobalId } from '../declare/global-id'
import { many } from '../declare/list'
import { byPlace, createdById, workOrders } from '../filters/orders'
import { annictIds, anyText, checkIds } from '../filters/rules'
import { workFilters } from '../filters/works'

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

export const query: GraphqlFields = {
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
      const [found] = await usersNamed(call.deps.readAs(call.viewer.userId), {
        key: String(username).toLowerCase(),
      })
      return found === undefined ? null : rows.load('User', found.id)
    },
  },
  viewer: { type: 'User', resolve: (_, __, { rows, viewerId }) => rows.load('User', viewerId) },
}

/** In the order of the ids; null for ids of nothing visible. One or two queries per type. */
const findNodes = (ids: readonly string[], context: Context): Promise<readonly (object | null)[]> =>
  context.budget.readNow(() => readNodes(ids, context))

async function readNodes(ids: readonly string[], context: Context): Promise<readonly (object | null)[]> {
  const named = ids.map(fromGlobalId)
  const byType = Map.groupBy(
    named.filter((one) => one !== undefined),
    ({ type }) => type,
  )
  const found = new Map<string, object>()
  for (const [type, some] of byType) {
    const shown = await context.rows.shownIds(
      type,
      some.map(({ number }) => number),
    )
    await context.rows.loadAll(type, [...shown.values()])
    for (const one of some) {
      const row = await context.rows.load(type, shown.get(one.number))
      if (row !== null) found.set(globalIdKey(one), { ...row, __typename: type })
    }
  }
  return named.map((one) => (one && found.get(globalIdKey(one))) ?? null)
}

const globalIdKey = ({ type, number }: GlobalId) => `${type}-${number}`
