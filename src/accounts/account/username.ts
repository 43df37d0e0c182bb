import Type from 'typebox'
import { checked, InvalidValue, mapped } from '../../values/value'

/** What somebody may be called (D50): no name that reads as the instance's own. */
export const usernameText = mapped(
  checked(Type.String({ maxLength: 20, pattern: '^[A-Za-z0-9_]+$' }), (t) => t.rules.username),
  (username) =>
    reserved.has(usernameKey(username)) || /^deleted_/i.test(username)
      ? new InvalidValue((t) => t.rules.usernameReserved(username))
      : username,
)

/** The form in which usernames are compared: `Alice` and `alice` are one name. */
export const usernameKey = (username: string): string => username.toLowerCase()

// The first segments of paths, and names that could be taken for somebody in charge. What is left of a deleted account is
// called `deleted_` and its number.
const reserved = new Set(
  `about account_deleted admin administrator api apple_touch_icon apps assets authorize casts catalogue channels
  characters confirm device docs episodes errors explore export favicon feed feeds followers following help home import invitations kiroku
  livez login logout me metrics notifications oauth openapi organizations people privacy profile programs readyz
  records register reset_password reviews robots root search series session sessions settings setup sign_in sign_out
  sign_up signin signout signup staffs static status statuses support system terms users v1 v2 well_known works www`
    .split(/\s+/)
    .filter((name) => name !== ''),
)
