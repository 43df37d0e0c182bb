import Type from 'typebox'
import { badToken } from '../http/bearer'
import { defineCommand } from '../http/command'
import { integer, text } from '../http/schema'
import { user } from './users'

/** The caller's own profile: a user with what only that user may see (D21). */
const profile = Type.Object({
  ...user.schema.properties,
  email: text('E-mail address', 'mio@example.com'),
  notifications_count: integer('Unread notifications'),
})

/** GET /v1/me */
export const me = defineCommand({
  method: 'GET',
  path: '/v1/me',
  tag: 'Users',
  summary: "The caller's own profile",
  params: {},
  answers: profile,
  run: async (_, { deps, renderer, viewer }) => {
    const own = await deps.read
      .selectFrom('users')
      .select(['id', 'version', 'email', 'notifications_count'])
      .where('id', '=', viewer.userId)
      .executeTakeFirst()
    if (own === undefined) throw badToken()
    const { id, version, email, notifications_count } = own
    const shown = (await renderer.render(user, new Map([[id, version]]))).get(id)
    return { ...shown?.value, email, notifications_count }
  },
})
