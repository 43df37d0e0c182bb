import { type ExportSection, exportSection } from './section'

/** Lists imported from other sites, without their rows. */
const imports = exportSection(
  'imports',
  (read, userId) =>
    read
      .selectFrom('list_imports')
      .select(['id as place', 'id', 'source', 'file_name', 'state', 'conflict', 'score_format', 'time_zone'])
      .select(['includes_private', 'file_user', 'completes_watched', 'created_at', 'applied_at', 'undone_at'])
      .select(['leaves_out', 'all_private'])
      .where('user_id', '=', userId) // uses list_imports_user
      .where('state', '<>', 'deleting'),
  ({ includes_private, all_private, completes_watched, leaves_out, ...row }) => ({
    ...row,
    includes_private: includes_private === 1,
    all_private: all_private === 1,
    completes_watched: completes_watched === 1,
    leaves_out: JSON.parse(leaves_out),
  }),
)

const importChoices = exportSection('import_choices', (read, userId) =>
  read
    .selectFrom('list_choices')
    .select(['id as place', 'source', 'source_id', 'work_id', 'episode_offset'])
    .where('user_id', '=', userId),
)

/** Tables whose columns the user has named: `columns` is `title=1,status=3`. */
const tableShapes = exportSection(
  'table_shapes',
  (read, userId) =>
    read
      .selectFrom('table_shapes')
      .select(['id as place', 'header', 'columns'])
      .where('user_id', '=', userId),
  ({ header, columns }) => ({ header: JSON.parse(header), columns }),
)

/** The one that waits for its columns to be named, without its content. */
const waitingTables = exportSection('waiting_tables', (read, userId) =>
  read
    .selectFrom('waiting_tables')
    .select(['user_id as place', 'file_name', 'created_at'])
    .where('user_id', '=', userId),
)

/** Addresses of players, without their secrets. */
const hooks = exportSection(
  'hooks',
  (read, userId) =>
    read
      .selectFrom('hooks')
      .select(['id as place', 'id', 'player', 'name', 'player_user', 'heard_user', 'threshold'])
      .select(['set_status', 'dry_run', 'activity', 'created_at', 'last_used_at', 'revoked_at'])
      .where('user_id', '=', userId), // uses hooks_user
  ({ set_status, dry_run, activity, ...row }) => ({
    ...row,
    ...{ set_status: set_status === 1, dry_run: dry_run === 1, activity: activity === 1 },
  }),
)

const deliveries = exportSection(
  'deliveries',
  (read, userId) =>
    read
      .selectFrom('deliveries')
      .select(['id as place', 'id', 'hook_id', 'received_at', 'body', 'report', 'result', 'reason'])
      .select(['rule', 'work_id', 'episode', 'record_ids'])
      .where('user_id', '=', userId), // uses deliveries_user
  ({ report, record_ids, ...row }) => ({
    ...row,
    ...{ report: JSON.parse(report), record_ids: JSON.parse(record_ids) },
  }),
)

const leftOutSeries = exportSection('left_out_series', (read, userId) =>
  read
    .selectFrom('left_out_series')
    .select(['id as place', 'series_key', 'title'])
    .where('user_id', '=', userId),
)

export const importSections: readonly ExportSection[] = [
  ...[imports, importChoices, tableShapes, waitingTables],
  ...[hooks, deliveries, leftOutSeries],
]
