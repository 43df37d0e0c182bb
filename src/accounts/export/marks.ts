import { type ExportSection, exportSection, withWork } from './section'

const laps = exportSection(
  'laps',
  (read, userId) =>
    read
      .selectFrom('laps')
      .innerJoin('works', 'works.id', 'laps.work_id')
      .select(['laps.id as place', 'work_id', 'title', 'number', 'started_at'])
      .where('user_id', '=', userId),
  withWork,
)

const skips = exportSection(
  'skips',
  (read, userId) =>
    read
      .selectFrom('skips')
      .innerJoin('episodes', 'episodes.id', 'skips.episode_id')
      .select(['skips.id as place', 'episode_id', 'work_id', 'number', 'sort_number', 'number_text'])
      .select(['lap', 'created_at'])
      .where('user_id', '=', userId),
  ({ episode_id, work_id, number, sort_number, number_text, ...row }) => ({
    episode: { id: episode_id, work_id, number, sort_number, number_text },
    ...row,
  }),
)

const notes = exportSection(
  'notes',
  (read, userId) =>
    read
      .selectFrom('notes')
      .innerJoin('works', 'works.id', 'notes.work_id')
      .select(['work_id as place', 'work_id', 'title', 'text', 'updated_at'])
      .where('user_id', '=', userId),
  withWork,
)

const slots = exportSection(
  'own_slots',
  (read, userId) =>
    read
      .selectFrom('own_slots')
      .innerJoin('works', 'works.id', 'own_slots.work_id')
      .select(['work_id as place', 'work_id', 'title', 'weekday', 'minute', 'time_zone', 'every_weeks'])
      .select(['begins_on', 'first_episode', 'channel_id', 'skipped', 'ended_at', 'own_slots.changed_at'])
      .where('user_id', '=', userId),
  ({ skipped, ...row }) => ({ ...withWork(row), skipped: JSON.parse(skipped) }),
)

const acts = exportSection(
  'acts',
  (read, userId) =>
    read
      .selectFrom('acts')
      .select(['id as place', 'id', 'kind', 'work_id', 'episode_id', 'count', 'status_kind', 'created_at'])
      .select('undone_at')
      .where('user_id', '=', userId), // uses acts_user
)

/** `file`: the path of the largest size, below /images. */
const withFile = <R extends { readonly hash: string; readonly width: number }>({ hash, ...row }: R) => ({
  ...row,
  file: `${hash}-${row.width}.webp`,
})

const pictures = exportSection(
  'pictures',
  (read, userId) =>
    read
      .selectFrom('images')
      .select(['id as place', 'kind', 'work_id', 'hash', 'width', 'height', 'created_at'])
      .where('user_id', '=', userId), // uses images_user
  withFile,
)

/** Replaced pictures, kept for 30 days. */
const formerPictures = exportSection(
  'former_pictures',
  (read, userId) =>
    read
      .selectFrom('former_images')
      .select(['id as place', 'kind', 'work_id', 'hash', 'width', 'height', 'created_at', 'replaced_at'])
      .where('user_id', '=', userId), // uses former_images_user
  withFile,
)

/** Things that only the user can see. */
export const markSections: readonly ExportSection[] = [
  laps,
  skips,
  notes,
  slots,
  acts,
  pictures,
  formerPictures,
]
