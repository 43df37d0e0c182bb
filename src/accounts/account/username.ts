import Type from 'typebox'
import { checked, InvalidValue, mapped } from '../../values/value'

/** D50. Reserved names would look like the instance's own. */
export const usernameText = mapped(
  checked(Type.String({ maxLength: 20, pattern: '^[A-Za-z0-9_]+$' }), (t) => t.rules.username),
  (username) =>
    reserved.has(usernameKey(username)) || isDeletedName(username)
      ? new InvalidValue((t) => t.rules.usernameReserved(username))
      : username,
)

export const usernameKey = (username: string): string => username.toLowerCase()

/** Deleted accounts whose comments were kept are named `deleted_` and their id. */
export const isDeletedName = (username: string): boolean => /^deleted_/i.test(username)

// First path segments, and names that suggest authority.
const reserved = new Set(
  `about account_deleted admin administrator api apple_touch_icon apps assets authorize avatars casts catalogue
  channels characters confirm covers device docs episodes errors explore export favicon feed feeds followers following help home images import invitations
  kiroku
  livez login logout me metrics notifications oauth openapi organizations people privacy profile programs readyz
  records register reset_password reviews robots root search series session sessions settings setup sign_in sign_out
  sign_up signin signout signup staffs static status statuses support system terms users v1 v2 well_known works www`
    .split(/\s+/)
    .filter((name) => name !== ''),
)
