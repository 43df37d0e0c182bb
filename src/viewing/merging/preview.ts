import { sql } from 'kysely'
import type { RowFields } from '../../catalogue/edit/change'
import type { MergeableKind } from '../../catalogue/edit/merges'
import type { EditedRow, EditValue } from '../../catalogue/edit/row'
import { kindOf } from '../../catalogue/import/kinds/kinds'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Messages } from '../../messages/en'
import { type EditField, fieldsOf } from '../editing/fields'

/** What the preview counts: names of `t.merging.moves`, and the column that refers to a row of the kind. */
const counted: Readonly<Record<MergeableKind, Readonly<Partial<Record<MovedName, string>>>>> = {
  work: {
    records: 'records.work_id',
    statuses: 'statuses.work_id',
    reviews: 'reviews.work_id',
    list_works: 'list_works.work_id',
    favorites: 'favorites.work_id',
    notes: 'notes.work_id',
    own_slots: 'own_slots.work_id',
    meetings: 'meetings.work_id',
    list_choices: 'list_choices.work_id',
    episodes: 'episodes.work_id',
    programs: 'programs.work_id',
    casts: 'casts.work_id',
    staffs: 'staffs.work_id',
    images: 'images.work_id',
  },
  episode: {
    records: 'records.episode_id',
    skips: 'skips.episode_id',
    programs: 'programs.episode_id',
    meetings: 'meeting_episodes.episode_id',
  },
  person: { casts: 'casts.person_id', staffs: 'staffs.person_id', favorites: 'favorites.person_id' },
  organization: { staffs: 'staffs.organization_id', favorites: 'favorites.organization_id' },
  character: { casts: 'casts.character_id', favorites: 'favorites.character_id' },
  series: { works: 'series_works.series_id', characters: 'characters.series_id' },
}

export type MovedName = keyof Messages['merging']['moves']

/** How many rows refer to the row that goes, and to the one that stays. */
export interface CountedRows {
  readonly name: MovedName
  readonly move: number
  readonly stay: number
}

/** What both have stays or not as D67 says; of the other things, all move. */
export async function movedRows(
  read: Read,
  { kind, from, to }: { readonly kind: MergeableKind; readonly from: number; readonly to: number },
): Promise<readonly CountedRows[]> {
  const names = movedNames(kind)
  const [[moving], [staying]] = [
    await countsOf[kind](read, { id: from }),
    await countsOf[kind](read, { id: to }),
  ]
  return names.map((name) => ({ name, move: moving?.[name] ?? 0, stay: staying?.[name] ?? 0 }))
}

const isMovedName = (name: string): name is MovedName => Object.values(counted).some((names) => name in names)

const movedNames = (kind: MergeableKind): MovedName[] => Object.keys(counted[kind]).filter(isMovedName)

const countsFor = (kind: MergeableKind) =>
  preparedSql<Partial<Record<MovedName, number>>, { id: number }>((slot) => {
    const counts = Object.entries(counted[kind]).map(([name, column]) => {
      const [table = ''] = column.split('.')
      return sql`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${slot('id')}) as ${sql.ref(name)}`
    })
    return sql`select ${sql.join(counts)}`
  })

const countsOf: Readonly<Record<MergeableKind, ReturnType<typeof countsFor>>> = {
  work: countsFor('work'),
  episode: countsFor('episode'),
  person: countsFor('person'),
  organization: countsFor('organization'),
  character: countsFor('character'),
  series: countsFor('series'),
}

/** How many people have a status of both works, of which the newer holds, and how many have the same of both. */
export const bothStatuses = preparedSql<{ people: number; equal: number }, { from: number; to: number }>(
  (slot) => sql`
    select count(*) as people, ifnull(sum(own.kind = other.kind), 0) as equal
    from statuses as own join statuses as other on other.user_id = own.user_id and other.work_id = ${slot('to')}
    where own.work_id = ${slot('from')}`,
)

export interface ComparedRows {
  readonly stays: EditedRow
  readonly goes: EditedRow
}

/** A field in which two rows differ, or one has nothing. */
export interface MergedField {
  readonly field: EditField
  readonly stays: EditValue
  readonly goes: EditValue
  /** Whether the value of the one that goes is taken unless somebody chooses. */
  readonly takesOther: boolean
  /** A pack names the row by it, or the merge itself brings it: nothing to choose. */
  readonly isFixed: boolean
}

export function mergedFields(stays: EditedRow, goes: EditedRow): readonly MergedField[] {
  return fieldsOf(stays.kind).flatMap((field): MergedField[] => {
    const [own, other] = [stays.values[field.field] ?? null, goes.values[field.field] ?? null]
    if (field.field === 'aliases' || Bun.deepEquals(own, other)) return []
    const blank = kindOf[stays.kind].fields.find(({ column }) => column === field.field)?.blank ?? null
    const [ownBlank, otherBlank] = [own === blank, other === blank]
    const name = field.field.replace('ids.', '')
    const isKeyed = stays.keyed.has(name) || goes.keyed.has(name)
    const takesOther = ownBlank && !otherBlank
    const isFixed = isKeyed || otherBlank || (takesOther && field.field.startsWith('ids.'))
    return [{ field, stays: own, goes: other, takesOther, isFixed }]
  })
}

/** What the survivor takes over, by what was chosen for each field. */
export function takenFields(
  fields: readonly MergedField[],
  takes: (field: MergedField) => boolean,
): RowFields {
  return Object.fromEntries(
    fields.flatMap((one) =>
      one.isFixed || !takes(one) || (typeof one.goes === 'object' && one.goes !== null)
        ? []
        : [[one.field.field, one.goes]],
    ),
  )
}

/** Names of fields that make it doubtful that two works are one. */
export const doubtfulFields = (fields: readonly MergedField[]): readonly MergedField[] =>
  fields.filter(
    ({ field, stays, goes, takesOther }) =>
      !takesOther && isTelling(field.name) && stays !== null && goes !== null && stays !== '' && goes !== '',
  )

const isTelling = (name: string) =>
  ['season_year', 'media', 'id_mal', 'id_anilist', 'id_anidb'].includes(name)

export interface PreviewedEpisode {
  readonly id: number
  readonly number: string | null
  readonly text: string
  readonly title: string
  readonly records_count: number
  readonly estimated: number
}

// uses episodes_work
export const episodesOfWork = preparedSql<PreviewedEpisode, { work: number }>(
  (slot) => sql`
    select id, number, number_text as text, title, records_count, estimated from episodes
    where work_id = ${slot('work')} and hidden = 0 order by sort_number, id`,
)
