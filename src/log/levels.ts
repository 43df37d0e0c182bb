/** Must not contain secrets and tokens; those that do get here are masked. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>

/** From the most to the least urgent. */
export const levels = ['error', 'warn', 'info', 'debug'] as const

export type Level = (typeof levels)[number]

/** `error`: somebody has to act; `warn`: somebody may have to; `info`: what was done; `debug`: routine. */
export const eventLevels = {
  access_revoked: 'info',
  account_deleted: 'info',
  account_deletion: 'info',
  application_changed: 'info',
  application_deleted: 'info',
  application_registered: 'info',
  application_tokens_revoked: 'info',
  backup_failed: 'error',
  backup_made: 'info',
  backup_sent: 'info',
  catalogue_failed: 'error',
  catalogue_loaded: 'info',
  catalogue_loading: 'info',
  catalogue_refused: 'error',
  check_failed: 'error',
  checked: 'info',
  client_refused: 'info',
  client_secret_rotated: 'info',
  clock_behind: 'error',
  clock_set_back: 'warn',
  code_replayed: 'warn',
  confirm: 'info',
  confirm_code: 'info',
  consent: 'info',
  cover_fetched: 'info',
  csrf_refused: 'warn',
  data_downloaded: 'info',
  deletion_interrupted: 'warn',
  demo_undone: 'info',
  descriptors: 'error',
  device_authorization: 'info',
  device_code: 'info',
  disk_has_room: 'warn',
  email_asked: 'info',
  email_changed: 'info',
  estimated: 'info',
  fault: 'error',
  former_picture_deleted: 'info',
  hidden: 'info',
  identity_connected: 'info',
  identity_disconnected: 'info',
  image_not_stored: 'error',
  import_finished: 'info',
  insecure: 'warn',
  invitation_made: 'info',
  invitation_withdrawn: 'info',
  join_accepted: 'info',
  join_asked: 'info',
  join_declined: 'info',
  letter_withheld: 'info',
  list_failed: 'error',
  list_waits: 'warn',
  log_limited: 'warn',
  mail: ({ outcome }) => (outcome === 'sent' ? 'info' : 'warn'),
  moderation_undone: 'info',
  news_failed: 'error',
  notify_failed: 'warn',
  other_sessions_ended: 'info',
  passkey_added: 'info',
  passkey_copied: 'warn',
  passkey_refused: 'info',
  passkey_removed: 'info',
  password_changed: 'info',
  password_removed: 'info',
  password_reset: 'info',
  picture_reduced: 'info',
  picture_removed: 'info',
  picture_restored: 'info',
  picture_uploaded: 'info',
  pictures_failed: 'error',
  privacy_move_interrupted: 'warn',
  provider_refused: 'info',
  recovery_codes_renewed: 'info',
  report_dismissed: 'info',
  request: levelOfRequest,
  reset_asked: 'info',
  reset_link: 'info',
  session_ended: 'info',
  set_up: 'info',
  sign_in: 'info',
  sign_in_code: 'info',
  sign_in_link: 'warn',
  sign_up: 'info',
  sign_up_asked: 'info',
  signal: 'warn',
  slow_query: 'warn',
  source_failed: 'error',
  source_question: 'info',
  source_run: ({ outcome }) => (outcome === 'done' || outcome === 'unchanged' ? 'info' : 'warn'),
  mapping_installed: 'info',
  mapping_removed: 'info',
  source_run_asked: 'info',
  source_set: 'info',
  standing: 'info',
  instance_named: 'info',
  stopping: 'info',
  storage_fault: 'error',
  storage_fault_again: 'debug',
  sweep_failed: 'error',
  times_not_clamped: 'error',
  token_created: 'info',
  token_issued: 'info',
  token_revoked: 'info',
  token_use_not_noted: 'warn',
  two_step_off: 'info',
  two_step_on: 'info',
  wal_large: 'warn',
  without_way_in: 'warn',
} as const satisfies Readonly<Record<string, Level | ((facts: Facts) => Level)>>

export type LogEvent = keyof typeof eventLevels

export const logEvents = Object.keys(eventLevels) as readonly LogEvent[]

/** All levels that an event may have. */
export function levelsOf(event: LogEvent): readonly Level[] {
  const level = eventLevels[event]
  return typeof level === 'string' ? [level] : ['warn', 'info']
}

export function levelOf(event: LogEvent, facts: Facts): Level {
  const level = eventLevels[event]
  return typeof level === 'string' ? level : level(facts)
}

/** Load balancers request their health check every few seconds. */
function levelOfRequest({ status, url }: Facts): Level {
  if (Number(status) >= 500) return 'warn'
  return status === 200 && /^[^?]*\/(?:livez|readyz)(?:\?|$)/.test(String(url)) ? 'debug' : 'info'
}
