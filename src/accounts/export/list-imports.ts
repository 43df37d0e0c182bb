import { type ExportSection, exportSection } from './section'

/** Lists imported from other sites, without their rows. */
const imports = exportSection(
  'imports',
  (read, userId) =>
    read
      .selectFrom('list_imports')
      .select(['id as place', 'id', 'source', 'file_name', 'state', 'conflict', 'score_format', 'time_zone'])
      .select(['includes_private', 'file_user', 'completes_watched', 'created_at', 'applied_at', 'undone_at'])
      .where('user_id', '=', userId) // uses list_imports_user
      .where('state', '<>', 'deleting'),
  ({ includes_private, completes_watched, ...row }) => ({
    ...row,
    includes_private: includes_private === 1,
    completes_watched: completes_watched === 1,
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

export const importSections: readonly ExportSection[] = [imports, importChoices, tableShapes, waitingTables]
