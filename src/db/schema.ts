// Generated from db/migrations by `bun run schema`; `bun run check` compares it with them.
import type { Generated, GeneratedAlways } from 'kysely'

export interface ActivitiesTable {
  id: Generated<number>
  user_id: number
  work_id: number
  action: string
  record_id: number | null
  review_id: number | null
  status_kind: string | null
  created_at: number
  version: Generated<number>
  token_id: number | null
  application_id: number | null
  former: string | null
  private: Generated<number>
  withheld: Generated<number>
}

export interface ActivityDeletionsTable {
  id: Generated<number>
  activity_id: number
}

export interface ActivityRecordsTable {
  activity_id: number
  record_id: number
}

export interface ActsTable {
  id: Generated<number>
  user_id: number
  kind: string
  work_id: number
  episode_id: number | null
  count: Generated<number>
  status_kind: string | null
  created_at: number
  undone_at: number | null
  list_id: Generated<number>
  other_id: number | null
}

export interface ApplicationsTable {
  id: Generated<number>
  owner_id: number
  uid: string
  name: string
  redirect_uris: string
  scope: string
  is_confidential: number
  has_device_grant: Generated<number>
  created_at: number
  updated_at: number
  sends_iss: Generated<number>
}

export interface AuthorizationCodesTable {
  id: Generated<number>
  code_hash: Uint8Array
  application_id: number
  user_id: number
  redirect_uri: string
  scope: string
  code_challenge: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

export interface BlocksTable {
  user_id: number
  blocked_id: number
  created_at: number
}

export interface CastsTable {
  id: Generated<number>
  work_id: number
  character_id: number
  person_id: number
  name: string
  name_en: Generated<string>
  sort_number: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
  withheld: Generated<number>
}

export interface CatalogueAnswersTable {
  run_id: number
  number: number
  url: string
  kind: string
  posted: string | null
  etag: string | null
  last_modified: string | null
  is_unmodified: Generated<number>
  bytes: number
}

export interface CatalogueChangeFieldsTable {
  change_id: number
  kind: string
  row_id: number
  field: string
  before: string | null
  after: string | null
  owner_before: number | null
  owner_after: number | null
}

export interface CatalogueChangesTable {
  id: Generated<number>
  kind: string
  work_id: number
  subject_kind: string
  subject_id: number
  user_id: number | null
  accepted_by: number | null
  source_id: number | null
  run_id: number | null
  proposal_id: number | null
  undoes_id: number | null
  source_url: Generated<string>
  reason: Generated<string>
  created_at: number
}

export interface CatalogueMergesTable {
  change_id: number
  task: string
  kind: string
  from_id: number
  to_id: number
  state: Generated<string>
  total: Generated<number>
  undo_id: number | null
  episode_ids: Generated<string>
}

export interface CatalogueMovesTable {
  id: Generated<number>
  change_id: number
  table_name: string
  column_name: string
  from_id: number
  to_id: number
  keys: Generated<string>
  rows: Generated<string>
  user_id: number | null
}

export interface CatalogueProposalsTable {
  id: Generated<number>
  kind: string
  work_id: number
  subject_kind: string
  subject_id: number
  user_id: number
  state: Generated<string>
  content: string
  source_url: string
  reason: Generated<string>
  answer: Generated<string>
  decided_by: number | null
  decided_at: number | null
  created_at: number
  updated_at: number
}

export interface CatalogueRunsTable {
  id: Generated<number>
  source: string
  cause: string
  is_dry_run: number
  scope: string
  state: Generated<string>
  started_at: number
  ended_at: number | null
  outcome: string | null
  message: string | null
  requests: Generated<number>
  not_modified: Generated<number>
  bytes: Generated<number>
  report: string | null
}

export interface CatalogueSourcesTable {
  name: string
  is_enabled: Generated<number>
  location: string | null
  token: string | null
  state: Generated<string>
  next_run_at: number | null
  failures: Generated<number>
}

export interface ChangesTable {
  id: Generated<number>
  user_id: number
  act_id: number | null
  import_id: number | null
  work_id: number
  table_name: string
  row_id: number
  last_id: number
  before: string | null
  after: string | null
  fallen: string | null
  is_aside: Generated<number>
  left_because: string | null
}

export interface ChannelGroupsTable {
  id: Generated<number>
  name: string
  sort_number: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface ChannelsTable {
  id: Generated<number>
  channel_group_id: number | null
  name: string
  vod: Generated<number>
  sort_number: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface CharactersTable {
  id: Generated<number>
  name: string
  name_kana: Generated<string>
  name_en: Generated<string>
  nickname: Generated<string>
  nickname_en: Generated<string>
  birthday: Generated<string>
  birthday_en: Generated<string>
  age: Generated<string>
  age_en: Generated<string>
  blood_type: Generated<string>
  blood_type_en: Generated<string>
  height: Generated<string>
  height_en: Generated<string>
  weight: Generated<string>
  weight_en: Generated<string>
  nationality: Generated<string>
  nationality_en: Generated<string>
  occupation: Generated<string>
  occupation_en: Generated<string>
  description: Generated<string>
  description_en: Generated<string>
  description_source: Generated<string>
  description_source_en: Generated<string>
  series_id: number | null
  favorite_characters_count: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface CharactersSearchKeysTable {
  id: Generated<number>
  kind: number
  key: string
  words: string
}

export interface ClientSecretsTable {
  id: Generated<number>
  application_id: number
  secret_hash: Uint8Array
  created_at: number
  expires_at: number | null
}

export interface CommentsTable {
  id: Generated<number>
  user_id: number
  owner_id: number
  record_id: number | null
  review_id: number | null
  meeting_id: number | null
  body: string
  hidden_by: number | null
  created_at: number
  version: Generated<number>
}

export interface ConsentRequestsTable {
  id: Generated<number>
  handle_hash: Uint8Array
  session_id: number
  application_id: number
  redirect_uri: string
  scope: string
  state: string | null
  code_challenge: string | null
  created_at: number
  expires_at: number
}

export interface CoverFetchesTable {
  work_id: number
  asked_at: number
  outcome: string
}

export interface DeletionsTable {
  user_id: number
  keeps_comments: number
  begun_at: number
  finished_at: number | null
}

export interface DeliveriesTable {
  id: Generated<number>
  user_id: number
  hook_id: number | null
  received_at: number
  body: string | null
  report: string
  series_key: string | null
  result: string
  reason: string | null
  rule: string | null
  work_id: number | null
  episode: number | null
  record_ids: Generated<string>
  proposals: Generated<string>
  dry_run: Generated<number>
  act_id: number | null
}

export interface DestinationsTable {
  id: Generated<number>
  user_id: number
  kind: string
  url: string
  host: string
  token: Generated<string>
  secret: Generated<string>
  events: string
  is_on: Generated<number>
  failures: Generated<number>
  last_ok_at: number | null
  created_at: number
  session_id: number | null
}

export interface DeviceGrantsTable {
  id: Generated<number>
  device_code_hash: Uint8Array
  user_code_hash: Uint8Array
  application_id: number
  scope: string
  user_id: number | null
  decision: string | null
  created_at: number
  expires_at: number
  last_polled_at: number | null
  interval: Generated<number>
}

export interface DevicesTable {
  id: Generated<number>
  user_id: number
  device_hash: Uint8Array
  last_used_at: number
}

export interface EpisodesTable {
  id: Generated<number>
  work_id: number
  number: string | null
  number_text: Generated<string>
  sort_number: Generated<number>
  title: Generated<string>
  estimated: Generated<number>
  records_count: Generated<number>
  record_comments_count: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface ExternalIdsTable {
  kind: string
  ns: string
  external_id: string
  local_id: number
  is_key: Generated<number>
}

export interface FavoritesTable {
  id: Generated<number>
  user_id: number
  work_id: number | null
  character_id: number | null
  person_id: number | null
  organization_id: number | null
  position: number | null
  created_at: number
  withheld: Generated<number>
}

export interface FeedsTable {
  id: Generated<number>
  user_id: number
  secret_hash: Uint8Array
  name: string
  wanted: Generated<number>
  alarm: number | null
  with_rule: Generated<number>
  language: string
  title_language: string
  time_zone: string
  changed_at: number
  created_at: number
  last_used_at: number | null
  last_agent: Generated<string>
}

export interface FetchedDocumentsTable {
  url: string
  etag: string | null
  last_modified: string | null
  fetched_at: number
}

export interface FollowRequestsTable {
  id: Generated<number>
  follower_id: number
  followed_id: number
  created_at: number
  declined_at: number | null
  withdrawn_at: number | null
}

export interface FollowsTable {
  id: Generated<number>
  follower_id: number
  followed_id: number
  created_at: number
  version: Generated<number>
  withheld: Generated<number>
}

export interface FormReceiptsTable {
  user_id: number
  form_id: Uint8Array
  act_id: number | null
  result: string
  created_at: number
}

export interface FormerImagesTable {
  id: Generated<number>
  kind: string
  hash: string
  work_id: number | null
  user_id: number | null
  origin: string
  width: number
  height: number
  placeholder: string
  created_at: number
  replaced_at: number
}

export interface HooksTable {
  id: Generated<number>
  user_id: number
  player: string
  name: string
  secret_hash: Uint8Array
  player_user: Generated<string>
  heard_user: Generated<string>
  threshold: Generated<number>
  set_status: Generated<number>
  dry_run: Generated<number>
  activity: Generated<number>
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

export interface IdentitiesTable {
  id: Generated<number>
  user_id: number
  issuer: string
  subject: string
  name: Generated<string>
  created_at: number
  last_used_at: number | null
}

export interface ImagesTable {
  id: Generated<number>
  kind: string
  hash: string
  work_id: number | null
  user_id: number | null
  origin: string
  width: number
  height: number
  placeholder: string
  created_at: number
}

export interface ImportBlocksTable {
  first_line: number
  content: Uint8Array
}

export interface ImportRowsTable {
  source_id: number
  kind: string
  key: string
  hash: number
  local_id: number
}

export interface ImportsTable {
  id: Generated<number>
  plan: string
}

export interface InstanceTable {
  name: string
  value: string
}

export interface InvitationsTable {
  id: Generated<number>
  created_by: number | null
  note: string
  code_hash: Uint8Array
  uses_left: number
  used_count: Generated<number>
  created_at: number
  expires_at: number | null
}

export interface JoinRequestsTable {
  id: Generated<number>
  username: string
  username_key: string
  email: string
  email_key: string | null
  password_hash: string
  question: string
  answer: string
  language: string
  created_at: number
  issuer: string | null
  subject: string | null
  identity_name: Generated<string>
}

export interface LapsTable {
  id: Generated<number>
  user_id: number
  work_id: number
  number: number
  started_at: number
}

export interface LeftOutSeriesTable {
  id: Generated<number>
  user_id: number
  series_key: string
  title: string
}

export interface LibraryEntriesTable {
  id: Generated<number>
  user_id: number
  work_id: number
}

export interface LikesTable {
  id: Generated<number>
  user_id: number
  record_id: number | null
  review_id: number | null
  created_at: number
}

export interface ListChoicesTable {
  id: Generated<number>
  user_id: number
  source: string
  source_id: string
  work_id: number
  episode_offset: Generated<number>
  act_id: number | null
}

export interface ListImportRowsTable {
  id: Generated<number>
  import_id: number
  number: number
  source_id: string
  title: string
  state: string
  reason: string | null
  work_id: number | null
  decision: string | null
  match: string | null
  shown: string
  sets_status: Generated<number>
  reviews: Generated<number>
}

export interface ListImportsTable {
  id: Generated<number>
  user_id: number
  source: string
  file_name: string
  state: string
  conflict: Generated<string>
  score_format: string | null
  time_zone: string
  includes_private: Generated<number>
  file_user: string | null
  completes_watched: Generated<number>
  facts: Generated<string>
  counts: Generated<string>
  error: string | null
  done: Generated<number>
  total: Generated<number>
  created_at: number
  changed_at: number
  applied_at: number | null
  undone_at: number | null
  leaves_out: Generated<string>
  all_private: Generated<number>
}

export interface ListWorksTable {
  id: Generated<number>
  list_id: number
  user_id: number
  work_id: number
  place: number
  note: Generated<string>
  added_at: number
}

export interface ListsTable {
  id: Generated<number>
  user_id: number
  name: string
  text: Generated<string>
  visibility: string
  is_ordered: Generated<number>
  items_count: Generated<number>
  withheld: Generated<number>
  created_at: number
  updated_at: number
  version: Generated<number>
}

export interface MappingFilesTable {
  id: Generated<number>
  kind: string
  name: string
  installed_at: number | null
  ranges: Generated<number>
  works: Generated<number>
  contradictions: Generated<number>
  skipped: Generated<number>
}

export interface MappingRangesTable {
  id: Generated<number>
  file_id: number
  site: string
  series: number
  season: number | null
  first: number
  last: number | null
  ns: string
  external_id: string
  shift: number | null
  rank: number
}

export interface MeetingEpisodesTable {
  meeting_id: number
  episode_id: number
}

export interface MeetingPeopleTable {
  meeting_id: number
  user_id: number
  answer: string | null
  marks_too: Generated<number>
  answered_at: number | null
  marked_at: number | null
  activity_id: number | null
}

export interface MeetingsTable {
  id: Generated<number>
  user_id: number
  work_id: number
  begins_at: number
  location: string
  body: string
  is_open: number
  after_id: number | null
  created_at: number
  changed_at: number
  cancelled_at: number | null
  done_at: number | null
  done_by: number | null
  marks_open: Generated<number>
  reminded_at: number | null
}

export interface ModerationsTable {
  id: Generated<number>
  kind: string
  moderator_id: number
  user_id: number
  record_id: number | null
  review_id: number | null
  comment_id: number | null
  privacy: string | null
  reason: string
  created_at: number
  undone_at: number | null
  undone_by: number | null
}

export interface MutesTable {
  user_id: number
  muted_id: number
  created_at: number
}

export interface NotesTable {
  user_id: number
  work_id: number
  text: string
  updated_at: number
}

export interface NotificationsTable {
  id: Generated<number>
  user_id: number
  kind: Generated<string>
  actor_id: number | null
  like_id: number | null
  follow_id: number | null
  comment_id: number | null
  read_at: number | null
  created_at: number
  version: Generated<number>
  episode_id: number | null
  began_at: number | null
  read_by: number | null
  request_id: number | null
  report_id: number | null
  meeting_id: number | null
  meeting_step: string | null
  proposal_id: number | null
}

export interface OneTimeLinksTable {
  id: Generated<number>
  purpose: string
  user_id: number | null
  email: string | null
  invitation_id: number | null
  link_hash: Uint8Array
  created_at: number
  expires_at: number
}

export interface OrganizationsTable {
  id: Generated<number>
  name: string
  name_kana: Generated<string>
  name_en: Generated<string>
  url: Generated<string>
  url_en: Generated<string>
  wikipedia_url: Generated<string>
  wikipedia_url_en: Generated<string>
  twitter_username: Generated<string>
  twitter_username_en: Generated<string>
  favorite_organizations_count: Generated<number>
  staffs_count: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface OrganizationsSearchKeysTable {
  id: Generated<number>
  kind: number
  key: string
  words: string
}

export interface OutgoingTable {
  id: Generated<number>
  user_id: number
  destination_id: number
  kind: string
  items: string
  more: Generated<number>
  state: Generated<string>
  tries: Generated<number>
  next_at: number
  created_at: number
  ended_at: number | null
  http_status: number | null
  why: string | null
}

export interface OwnSlotsTable {
  user_id: number
  work_id: number
  weekday: number
  minute: number
  time_zone: string
  every_weeks: Generated<number>
  begins_on: string
  first_episode: number
  channel_id: number | null
  skipped: Generated<string>
  ended_at: number | null
  changed_at: number
  next_at: Generated<number>
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  credential_id: Uint8Array
  public_key: Uint8Array
  rp_id: string
  name: string
  counter: number
  is_eligible: number
  is_backed_up: number
  is_verified: number
  transports: string
  created_at: number
  last_used_at: number | null
}

export interface PeopleTable {
  id: Generated<number>
  name: string
  name_kana: Generated<string>
  name_en: Generated<string>
  nickname: Generated<string>
  nickname_en: Generated<string>
  gender: Generated<string>
  url: Generated<string>
  url_en: Generated<string>
  wikipedia_url: Generated<string>
  wikipedia_url_en: Generated<string>
  twitter_username: Generated<string>
  twitter_username_en: Generated<string>
  birthday: Generated<string>
  blood_type: Generated<string>
  height: number | null
  prefecture_id: number | null
  favorite_people_count: Generated<number>
  casts_count: Generated<number>
  staffs_count: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface PeopleSearchKeysTable {
  id: Generated<number>
  kind: number
  key: string
  words: string
}

export interface PrefecturesTable {
  id: Generated<number>
  name: string
}

export interface PrivacyMovesTable {
  user_id: number
  level: number
  began_at: number
}

export interface ProgramSlotsTable {
  id: Generated<number>
  work_id: number
  channel_id: number
  begins_on: string
  at: string
  every: Generated<number>
  weeks: number | null
  skips: Generated<string>
  first_episode: Generated<number>
  at_once: Generated<number>
  is_rebroadcast: Generated<number>
  created_at: number
}

export interface ProgramsTable {
  id: Generated<number>
  channel_id: number
  work_id: number
  episode_id: number | null
  started_at: number
  is_rebroadcast: Generated<number>
  estimated: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
  changed_at: Generated<number>
  slot_id: number | null
}

export interface ProviderAttemptsTable {
  id: Generated<number>
  state_hash: Uint8Array
  browser_hash: Uint8Array
  nonce: string
  verifier: string
  provider: string
  purpose: string
  session_id: number | null
  invitation_id: number | null
  return_to: string
  network: string
  created_at: number
  person: string | null
}

export interface RecordsTable {
  id: Generated<number>
  user_id: number
  work_id: number
  episode_id: number
  comment: Generated<string>
  rating: number | null
  rating_state: string | null
  is_modified: Generated<number>
  likes_count: Generated<number>
  comments_count: Generated<number>
  share_twitter: Generated<number>
  share_facebook: Generated<number>
  has_comment: GeneratedAlways<number | null>
  watched_at: number
  watched_at_precision: Generated<string>
  created_at: number
  version: Generated<number>
  lap: Generated<number>
  modified_at: number | null
  private: Generated<number>
  hidden_by: number | null
  withheld: Generated<number>
  score: number | null
}

export interface RecoveryCodesTable {
  id: Generated<number>
  user_id: number
  code_hash: Uint8Array
}

export interface RedirectsTable {
  kind: string
  from_id: number
  to_id: number
}

export interface RemovedPartsTable {
  work_id: number
  table_name: string
  value: string
}

export interface ReportsTable {
  id: Generated<number>
  reporter_id: number
  user_id: number
  record_id: number | null
  review_id: number | null
  reason: string
  text: string
  copy: string
  created_at: number
  closed_at: number | null
  closed_by: number | null
  outcome: string | null
  comment_id: number | null
}

export interface ReviewsTable {
  id: Generated<number>
  user_id: number
  work_id: number
  body: Generated<string>
  rating_animation_state: string | null
  rating_music_state: string | null
  rating_story_state: string | null
  rating_character_state: string | null
  rating_overall_state: string | null
  likes_count: Generated<number>
  impressions_count: Generated<number>
  share_twitter: Generated<number>
  share_facebook: Generated<number>
  has_body: GeneratedAlways<number | null>
  watched_at: number | null
  watched_at_precision: string | null
  modified_at: number | null
  created_at: number
  version: Generated<number>
  private: Generated<number>
  hidden_by: number | null
  withheld: Generated<number>
  comments_count: Generated<number>
  score: number | null
}

export interface SearchNamesTable {
  work_id: number
  source_id: number
  is_reading: number
  title: string
}

export interface SecondFactorsTable {
  user_id: number
  secret: Uint8Array
  confirmed_at: number | null
  last_step: Generated<number>
}

export interface SeriesTable {
  id: Generated<number>
  name: string
  name_ro: Generated<string>
  name_en: Generated<string>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
}

export interface SeriesSearchKeysTable {
  id: Generated<number>
  kind: number
  key: string
  words: string
}

export interface SeriesWorksTable {
  series_id: number
  work_id: number
  source_id: number
  position: number | null
}

export interface SessionsTable {
  id: Generated<number>
  user_id: number
  session_hash: Uint8Array
  awaits_factor: Generated<number>
  user_agent: string
  address: string
  created_at: number
  last_used_at: number
  confirmed_at: number
  sent_forms: Generated<string>
  kept_form: string | null
  way: Generated<string>
  passkey_id: number | null
  identity_id: number | null
}

export interface SharesTable {
  id: Generated<number>
  user_id: number
  period: string
  audience: string
  figures: string
  withheld: Generated<number>
  created_at: number
  picture_hash: string | null
}

export interface SignInsTable {
  id: Generated<number>
  user_id: number
  at: number
  way: string
  provider: Generated<string>
  passkey: Generated<string>
  second_step: Generated<string>
  outcome: string
  user_agent: string
  address: string
}

export interface SkipsTable {
  id: Generated<number>
  user_id: number
  episode_id: number
  lap: number
  created_at: number
}

export interface SourceHostsTable {
  host: string
  free_at: number
  hour_began_at: number
  in_hour: number
  day_began_at: number
  in_day: number
}

export interface SourceValuesTable {
  kind: string
  row_id: number
  field: string
  source_id: number
  value: string
  seen_at: number
}

export interface SourcesTable {
  id: Generated<number>
  name: string
  priority: number
}

export interface SpentChallengesTable {
  challenge_hash: Uint8Array
  spent_at: number
}

export interface StaffsTable {
  id: Generated<number>
  work_id: number
  person_id: number | null
  organization_id: number | null
  name: string
  name_en: Generated<string>
  role: string
  role_text: Generated<string>
  role_other: Generated<string>
  role_other_en: Generated<string>
  sort_number: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
  withheld: Generated<number>
}

export interface StatusesTable {
  user_id: number
  work_id: number
  kind: string
  changed_at: number
  started_on: string | null
  finished_on: string | null
  rewatches: number | null
  private: Generated<number>
  hidden_by: number | null
  withheld: Generated<number>
  first_activity_id: Generated<number>
}

export interface StreamsTable {
  work_id: number
  site: string
  external_id: Generated<string>
  begin_at: number | null
  interval: Generated<string>
  source_id: number
}

export interface TableShapesTable {
  id: Generated<number>
  user_id: number
  header: string
  columns: string
}

export interface ThrottlesTable {
  key: string
  failures: number
  last_failed_at: number
}

export interface TokensTable {
  id: Generated<number>
  user_id: number
  description: string
  scope: string
  token_hash: Uint8Array
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  application_id: number | null
  code_id: number | null
}

export interface TwinWorksTable {
  work_id: number
  other_id: number
  is_denied: Generated<number>
  denied_by: number | null
  denied_at: number | null
  found_at: number
}

export interface UnindexedUsersTable {
  id: Generated<number>
}

export interface UserChannelsTable {
  user_id: number
  channel_id: number
}

export interface UsersTable {
  id: Generated<number>
  username: string
  username_key: string
  name: string
  description: Generated<string>
  url: string | null
  avatar_url: Generated<string>
  background_image_url: Generated<string>
  email: string
  email_key: string | null
  password_hash: string
  is_admin: Generated<number>
  records_count: Generated<number>
  followings_count: Generated<number>
  followers_count: Generated<number>
  wanna_watch_count: Generated<number>
  watching_count: Generated<number>
  watched_count: Generated<number>
  on_hold_count: Generated<number>
  stop_watching_count: Generated<number>
  disabled_at: number | null
  created_at: number
  version: Generated<number>
  feed_version: Generated<number>
  language: string | null
  title_language: string | null
  time_zone: string | null
  week_start: number | null
  has_long_nights: number | null
  theme: Generated<string>
  guards_spoilers: Generated<number>
  has_keys: Generated<number>
  privacy: Generated<string>
  private_by_default: Generated<number>
  comments_from: Generated<string>
  listed: Generated<number>
  indexable: Generated<number>
  invited_by: number | null
  quiet_from: Generated<number | null>
  quiet_to: Generated<number | null>
  not_here: Generated<string>
  profile_hidden_by: number | null
  all_hidden_by: number | null
  rating_display: Generated<string>
  digest: Generated<string>
  digest_at: Generated<number>
  digest_told: Generated<number>
  digest_secret: string | null
  passkey_handle: Uint8Array | null
  has_passkey_step: Generated<number>
  is_editor: Generated<number>
  password_set_at: number | null
}

export interface WaitingTablesTable {
  user_id: number
  file_name: string
  content: Uint8Array
  created_at: number
}

export interface WithheldRowsTable {
  id: Generated<number>
  table_name: string
  number: Generated<number>
}

export interface WorkAliasesTable {
  work_id: number
  source_id: number
  title: string
}

export interface WorksTable {
  id: Generated<number>
  title: string
  title_kana: Generated<string>
  title_en: Generated<string>
  title_ro: Generated<string>
  media: string
  season_year: number | null
  season: string | null
  season_rank: GeneratedAlways<number | null>
  released_on: Generated<string>
  released_on_about: Generated<string>
  official_site_url: Generated<string>
  wikipedia_url: Generated<string>
  twitter_username: Generated<string>
  twitter_hashtag: Generated<string>
  syobocal_tid: Generated<string>
  mal_anime_id: Generated<string>
  recommended_url: Generated<string>
  og_image_url: Generated<string>
  twitter_image_url: Generated<string>
  avatar_mini_url: Generated<string>
  avatar_normal_url: Generated<string>
  avatar_bigger_url: Generated<string>
  avatar_original_url: Generated<string>
  no_episodes: Generated<number>
  broadcast_begin: number | null
  broadcast_end: number | null
  broadcast_interval: Generated<string>
  episodes_estimate: number | null
  episodes_count: Generated<number>
  watchers_count: Generated<number>
  reviews_count: Generated<number>
  hidden: Generated<number>
  version: Generated<number>
  source_id: number
  owners: Generated<string>
  popularity: Generated<number>
  minutes: number | null
  list_state: Generated<string>
}

export interface WorksSearchKeysTable {
  id: Generated<number>
  kind: number
  key: string
  words: string
}

export interface DB {
  activities: ActivitiesTable
  activity_deletions: ActivityDeletionsTable
  activity_records: ActivityRecordsTable
  acts: ActsTable
  applications: ApplicationsTable
  authorization_codes: AuthorizationCodesTable
  blocks: BlocksTable
  casts: CastsTable
  catalogue_answers: CatalogueAnswersTable
  catalogue_change_fields: CatalogueChangeFieldsTable
  catalogue_changes: CatalogueChangesTable
  catalogue_merges: CatalogueMergesTable
  catalogue_moves: CatalogueMovesTable
  catalogue_proposals: CatalogueProposalsTable
  catalogue_runs: CatalogueRunsTable
  catalogue_sources: CatalogueSourcesTable
  changes: ChangesTable
  channel_groups: ChannelGroupsTable
  channels: ChannelsTable
  characters: CharactersTable
  characters_search_keys: CharactersSearchKeysTable
  client_secrets: ClientSecretsTable
  comments: CommentsTable
  consent_requests: ConsentRequestsTable
  cover_fetches: CoverFetchesTable
  deletions: DeletionsTable
  deliveries: DeliveriesTable
  destinations: DestinationsTable
  device_grants: DeviceGrantsTable
  devices: DevicesTable
  episodes: EpisodesTable
  external_ids: ExternalIdsTable
  favorites: FavoritesTable
  feeds: FeedsTable
  fetched_documents: FetchedDocumentsTable
  follow_requests: FollowRequestsTable
  follows: FollowsTable
  form_receipts: FormReceiptsTable
  former_images: FormerImagesTable
  hooks: HooksTable
  identities: IdentitiesTable
  images: ImagesTable
  import_blocks: ImportBlocksTable
  import_rows: ImportRowsTable
  imports: ImportsTable
  instance: InstanceTable
  invitations: InvitationsTable
  join_requests: JoinRequestsTable
  laps: LapsTable
  left_out_series: LeftOutSeriesTable
  library_entries: LibraryEntriesTable
  likes: LikesTable
  list_choices: ListChoicesTable
  list_import_rows: ListImportRowsTable
  list_imports: ListImportsTable
  list_works: ListWorksTable
  lists: ListsTable
  mapping_files: MappingFilesTable
  mapping_ranges: MappingRangesTable
  meeting_episodes: MeetingEpisodesTable
  meeting_people: MeetingPeopleTable
  meetings: MeetingsTable
  moderations: ModerationsTable
  mutes: MutesTable
  notes: NotesTable
  notifications: NotificationsTable
  one_time_links: OneTimeLinksTable
  organizations: OrganizationsTable
  organizations_search_keys: OrganizationsSearchKeysTable
  outgoing: OutgoingTable
  own_slots: OwnSlotsTable
  passkeys: PasskeysTable
  people: PeopleTable
  people_search_keys: PeopleSearchKeysTable
  prefectures: PrefecturesTable
  privacy_moves: PrivacyMovesTable
  program_slots: ProgramSlotsTable
  programs: ProgramsTable
  provider_attempts: ProviderAttemptsTable
  records: RecordsTable
  recovery_codes: RecoveryCodesTable
  redirects: RedirectsTable
  removed_parts: RemovedPartsTable
  reports: ReportsTable
  reviews: ReviewsTable
  search_names: SearchNamesTable
  second_factors: SecondFactorsTable
  series: SeriesTable
  series_search_keys: SeriesSearchKeysTable
  series_works: SeriesWorksTable
  sessions: SessionsTable
  shares: SharesTable
  sign_ins: SignInsTable
  skips: SkipsTable
  source_hosts: SourceHostsTable
  source_values: SourceValuesTable
  sources: SourcesTable
  spent_challenges: SpentChallengesTable
  staffs: StaffsTable
  statuses: StatusesTable
  streams: StreamsTable
  table_shapes: TableShapesTable
  throttles: ThrottlesTable
  tokens: TokensTable
  twin_works: TwinWorksTable
  unindexed_users: UnindexedUsersTable
  user_channels: UserChannelsTable
  users: UsersTable
  waiting_tables: WaitingTablesTable
  withheld_rows: WithheldRowsTable
  work_aliases: WorkAliasesTable
  works: WorksTable
  works_search_keys: WorksSearchKeysTable
}
