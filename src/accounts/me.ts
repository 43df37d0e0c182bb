import { badToken } from '../api/bearer'
import { defineCommand } from '../api/command'
import { defineItem, itemSchema } from '../api/item'
import { computed } from '../api/nested-fields'
import { itemReader } from '../api/read-item'
import { integer, text } from '../api/schema'
import { user } from './users'

/** Includes the fields that only the user may see (D21). */
const profile = defineItem('users', user, {
  email: computed(
    text('E-mail address', 'mio@example.com'),
    (eb) => eb.ref('users.email'),
    (email) => email,
  ),
  notifications_count: computed(
    integer('Unread notifications'),
    (eb) => eb.ref('users.notifications_count'),
    (count) => count,
  ),
})

const readProfile = itemReader(profile)

export const me = defineCommand({
  method: 'GET',
  path: '/v1/me',
  tag: 'Users',
  summary: "The caller's own profile",
  params: {},
  answers: () => itemSchema(profile),
  run: async (_, call) => {
    const own = await readProfile(call.viewer.userId, call)
    if (own === null) throw badToken()
    return own
  },
})
