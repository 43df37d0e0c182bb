import { byUser } from '../accounts/filters'
import { user } from '../accounts/users'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { byId } from '../catalogue/filters'

/** With a filter, the followers of one user; without it, every follow (D19). */
export const followers = defineList({
  path: '/v1/followers',
  tag: 'Users',
  summary: 'Users who follow a user, or every follow',
  key: 'users',
  item: defineItem('follows', user, {}, (eb) => eb.ref('follows.follower_id')),
  rows: { indexes: { follows_keys: [] } },
  filters: byUser('follows', 'followed_id', 'Only followers of this user'),
  sorts: { sort_id: { ...byId, what: 'when the follow began' } },
})

export const following = defineList({
  path: '/v1/following',
  tag: 'Users',
  summary: 'Extension: users whom a user follows, or every follow',
  key: 'users',
  item: defineItem('follows', user, {}, (eb) => eb.ref('follows.followed_id')),
  rows: { indexes: { follows_keys: [] } },
  filters: byUser('follows', 'follower_id', 'Only users whom this user follows'),
  sorts: { sort_id: { ...byId, what: 'when the follow began' } },
})
