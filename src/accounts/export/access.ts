import { isoTime } from '../../lib/time'
import { type ExportSection, exportSection } from './section'

const applications = exportSection(
  'applications',
  (read, userId) =>
    read
      .selectFrom('applications')
      .select(['id as place', 'uid', 'name', 'redirect_uris', 'scope', 'is_confidential'])
      .select(['has_device_grant', 'sends_iss', 'created_at', 'updated_at'])
      .where('owner_id', '=', userId), // uses applications_owner
  ({ is_confidential, has_device_grant, sends_iss, ...row }) => ({
    ...row,
    redirect_uris: row.redirect_uris.split('\n'),
    confidential: is_confidential === 1,
    device_grant: has_device_grant === 1,
    send_iss: sends_iss === 1,
  }),
)

const tokens = exportSection(
  'tokens',
  (read, userId) =>
    read
      .selectFrom('tokens')
      .leftJoin('applications', 'applications.id', 'application_id')
      .select(['tokens.id as place', 'description', 'applications.name as application', 'tokens.scope'])
      .select(['tokens.created_at', 'expires_at', 'last_used_at'])
      .where('user_id', '=', userId), // uses tokens_user
)

const feeds = exportSection(
  'feeds',
  (read, userId) =>
    read
      .selectFrom('feeds')
      .select(['id as place', 'name', 'wanted', 'alarm', 'with_rule', 'language', 'title_language'])
      .select(['time_zone', 'changed_at', 'created_at', 'last_used_at', 'last_agent'])
      .where('user_id', '=', userId), // uses feeds_user
  ({ wanted, with_rule, ...row }) => ({ ...row, wanted: wanted === 1, with_rule: with_rule === 1 }),
)

/** Without addresses, tokens and secrets. */
const destinations = exportSection(
  'destinations',
  (read, userId) =>
    read
      .selectFrom('destinations')
      .select(['id as place', 'id', 'kind', 'events', 'is_on', 'last_ok_at', 'created_at'])
      .where('user_id', '=', userId), // uses destinations_user
  ({ is_on, ...row }) => ({ ...row, is_on: is_on === 1 }),
)

const messages = exportSection(
  'messages',
  (read, userId) =>
    read
      .selectFrom('outgoing')
      .select(['id as place', 'destination_id', 'kind', 'items', 'more', 'state', 'tries'])
      .select(['created_at', 'ended_at', 'http_status', 'why'])
      .where('user_id', '=', userId), // uses outgoing_user
  ({ items, ...row }) => ({ ...row, items: JSON.parse(items) }),
)

const sessions = exportSection(
  'sessions',
  (read, userId) =>
    read
      .selectFrom('sessions')
      .select(['id as place', 'user_agent', 'address', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId), // uses sessions_user
)

/** Without the key itself. */
const passkeys = exportSection(
  'passkeys',
  (read, userId) =>
    read
      .selectFrom('passkeys')
      .select(['id as place', 'name', 'rp_id', 'is_verified', 'is_backed_up', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId), // uses passkeys_user
  ({ is_verified, is_backed_up, ...row }) => ({
    ...row,
    second_step_only: is_verified === 0,
    on_several_devices: is_backed_up === 1,
  }),
)

const identities = exportSection(
  'identities',
  (read, userId) =>
    read
      .selectFrom('identities')
      .select(['id as place', 'issuer', 'subject', 'name', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId), // uses identities_user
)

const signIns = exportSection(
  'sign_ins',
  (read, userId) =>
    read
      .selectFrom('sign_ins')
      .select(['id as place', 'at', 'way', 'provider', 'passkey', 'second_step', 'outcome'])
      .select(['user_agent', 'address'])
      .where('user_id', '=', userId), // uses sign_ins_user
  ({ at, ...row }) => ({ at: isoTime(at), ...row }),
)

const invitations = exportSection('invitations', (read, userId) =>
  read
    .selectFrom('invitations')
    .select(['id as place', 'note', 'uses_left', 'used_count', 'created_at', 'expires_at'])
    .where('created_by', '=', userId),
)

/** Never contains a secret or the hash of one. */
export const accessSections: readonly ExportSection[] = [
  applications,
  tokens,
  feeds,
  destinations,
  messages,
  sessions,
  passkeys,
  identities,
  signIns,
  invitations,
]
