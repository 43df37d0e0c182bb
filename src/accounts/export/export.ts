import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { isoTime } from '../../lib/time'
import { preferenceColumns } from '../account/preferences'
import { factorStanding } from '../sign-in/second-factor'
import { accessSections } from './access'
import { librarySections } from './library'
import { importSections } from './list-imports'
import { markSections } from './marks'
import { peopleSections } from './people'
import { type ExportSection, exportSection } from './section'

/** Every work the library refers to, once. `ids`: its ids at other sites, so that the file can move between instances. */
const works = exportSection(
  'works',
  (read, userId) =>
    read
      .selectFrom('works')
      .select(['works.id as place', 'works.id', 'title', 'media', 'season_year', 'released_on', idsElsewhere])
      .where('works.id', 'in', worksOf(read, userId)),
  ({ ids, ...row }) => ({ ...row, ids: JSON.parse(ids) }),
)

export const exportSections: readonly ExportSection[] = [
  works,
  ...librarySections,
  ...markSections,
  ...importSections,
  ...peopleSections,
  ...accessSections,
]

const worksOf = (read: Read, userId: number) =>
  read
    .selectFrom('statuses')
    .select('work_id')
    .where('user_id', '=', userId)
    .union(read.selectFrom('records').select('work_id').where('user_id', '=', userId)) // uses records_user_work
    .union(read.selectFrom('reviews').select('work_id').where('user_id', '=', userId)) // uses reviews_user_work
    .union(read.selectFrom('laps').select('work_id').where('user_id', '=', userId))
    .union(read.selectFrom('notes').select('work_id').where('user_id', '=', userId))
    .union(
      read
        .selectFrom('favorites') // uses favorites_user
        .select((eb) => eb.ref('work_id').$notNull().as('work_id'))
        .where('user_id', '=', userId)
        .where('work_id', 'is not', null),
    )
    .union(read.selectFrom('list_works').select('work_id').where('user_id', '=', userId)) // uses list_works_user
    .union(
      read
        .selectFrom('skips')
        .innerJoin('episodes', 'episodes.id', 'episode_id')
        .select('work_id')
        .where('user_id', '=', userId),
    )

/** The first id at each site, without title keys and keys that only a pack knows. */
const idsElsewhere = sql<string>`(
  select json_group_object(ns, id) from (
    select ns, min(external_id) as id from external_ids indexed by external_ids_local
    where local_id = works.id and kind = 'work' and is_key < 2 and ns <> 'title' group by ns))`.as('ids')

/**
 * Yields pieces of one JSON object, each read as it is sent, so the whole is not a snapshot. `version` rises
 * when a name changes its meaning or is removed. Times are ISO 8601.
 */
export async function* exportUser(
  { read, now }: { read: Read; now(): number },
  userId: number,
): AsyncGenerator<string> {
  const head = { format: 'kiroku user', version: 2, exported_at: isoTime(now()) }
  yield `${JSON.stringify({ ...head, profile: await profileOf(read, userId) }).slice(0, -1)}`
  for (const section of exportSections) {
    yield `,\n"${section.name}":[`
    yield* rowsOf(section, read, userId)
    yield ']'
  }
  yield '}\n'
}

async function* rowsOf(section: ExportSection, read: Read, userId: number): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await section.rows(read, userId, after)
    const lines = rows.map(({ value }) => `\n${JSON.stringify(value)}`)
    const last = rows.at(-1)?.place
    if (last === undefined) return
    yield `${after === 0 ? '' : ','}${lines.join(',')}`
    after = last
    // SQLite calls are synchronous: yield to waiting requests.
    await new Promise(setImmediate)
  }
}

async function profileOf(read: Read, userId: number) {
  const row = await read
    .selectFrom('users')
    .select(['id', 'username', 'name', 'description', 'url', 'avatar_url', 'background_image_url', 'email'])
    .select(['language', 'is_admin', 'is_editor', 'created_at'])
    .select(preferenceColumns)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const factor = await factorStanding(read, userId)
  const { is_admin, is_editor, created_at, has_long_nights, guards_spoilers, has_keys, ...profile } = row
  return {
    ...profile,
    has_long_nights: has_long_nights === null ? null : has_long_nights === 1,
    guards_spoilers: guards_spoilers === 1,
    has_keys: has_keys === 1,
    administrator: is_admin === 1,
    editor: is_editor === 1,
    two_step_since: factor.appSince === null ? null : isoTime(factor.appSince),
    created_at: isoTime(created_at),
  }
}
