import { sql } from 'kysely'
import { withTimes } from '../../lib/time'
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

const lists = exportSection(
  'lists',
  (read, userId) =>
    read
      .selectFrom('lists')
      .select(['id as place', 'id', 'name', 'text', 'visibility', 'is_ordered', 'created_at', 'updated_at'])
      .select(listItems.as('items'))
      .where('user_id', '=', userId), // uses lists_user
  ({ is_ordered, items, ...row }) => ({
    ...{ ...row, is_ordered: is_ordered === 1 },
    items: (JSON.parse(items) as readonly ListItem[]).map(({ work_id, title, ...item }) => ({
      ...{ work: { id: work_id, title }, ...withTimes(item) },
    })),
  }),
)

const shares = exportSection(
  'shares',
  (read, userId) =>
    read
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .select(['shares.id as place', 'period', 'audience', 'figures', 'shares.created_at'])
      .select(['username', 'picture_hash'])
      .where('user_id', '=', userId),
  ({ figures, username, picture_hash, ...row }) => ({
    ...{ ...row, figures: JSON.parse(figures) },
    picture: picture_hash === null ? null : `/@${username}/${row.period}/share.png`,
  }),
)

type ListItem = { work_id: number; title: string; note: string; added_at: number }

/** In their order. Uses list_works_place. */
const listItems = sql<string>`(
  select json_group_array(json_object('work_id', work_id, 'title', title, 'note', note, 'added_at', added_at)) from (
    select work_id, title, note, added_at from list_works join works on works.id = work_id
    where list_id = lists.id order by place, list_works.id))`

const acts = exportSection(
  'acts',
  (read, userId) =>
    read
      .selectFrom('acts')
      .leftJoin('users', 'users.id', 'other_id')
      .select(['acts.id as place', 'acts.id', 'kind', 'work_id', 'list_id', 'episode_id', 'users.username'])
      .select(['count', 'status_kind', 'acts.created_at', 'undone_at'])
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

const changes = exportSection(
  'catalogue_changes',
  (read, userId) =>
    read
      .selectFrom('catalogue_changes')
      .select(['id as place', 'id', 'kind', 'work_id', 'subject_kind', 'subject_id', 'source_url', 'reason'])
      .select('created_at')
      .where('user_id', '=', userId), // uses catalogue_changes_user
)

const proposals = exportSection(
  'catalogue_proposals',
  (read, userId) =>
    read
      .selectFrom('catalogue_proposals')
      .select(['id as place', 'id', 'kind', 'work_id', 'subject_kind', 'subject_id', 'state', 'content'])
      .select(['source_url', 'reason', 'answer', 'created_at', 'updated_at', 'decided_at'])
      .where('user_id', '=', userId), // uses catalogue_proposals_user
  ({ content, ...row }) => ({ ...row, content: JSON.parse(content) }),
)

/** What only the user can see, and what they changed for everybody. */
export const markSections: readonly ExportSection[] = [
  laps,
  skips,
  notes,
  slots,
  lists,
  shares,
  acts,
  pictures,
  formerPictures,
  changes,
  proposals,
]
