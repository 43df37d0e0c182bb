import { type RawBuilder, sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Titles } from '../../pages/title'

export interface Maker {
  readonly id: number
  readonly name: string
  readonly name_en: string
  readonly works: number
}

/** Who made or voiced most of some works. */
export interface Makers {
  /** Stable: `data-chart`. */
  readonly name: 'studios' | 'staff' | 'voices'
  /** At most ten, most works first. */
  readonly makers: readonly Maker[]
  /** Of how many of the works somebody is known. */
  readonly known: number
}

const mostMakers = 10

/** `works`: their ids, of which hidden ones count too. */
export async function makersOf(read: Read, works: readonly number[]): Promise<readonly Makers[]> {
  const ids = JSON.stringify(works)
  const [known] = await knownOf(read, { ids })
  return [
    { name: 'studios', makers: await studiosOf(read, { ids }), known: known?.studios ?? 0 },
    { name: 'staff', makers: await staffOf(read, { ids }), known: known?.staff ?? 0 },
    { name: 'voices', makers: await voicesOf(read, { ids }), known: known?.voices ?? 0 },
  ]
}

type Works = { ids: string }

const wanted = (slot: (name: 'ids') => unknown) => sql`json_each(${slot('ids')}) as wanted`
const ofWork = sql`work_id = wanted.value and hidden = 0 and withheld = 0`
const isStudio = sql`role = 'studio' and organization_id is not null`
const isStaff = sql`role <> 'studio' and person_id is not null`

/** Uses staffs_work and casts_work. */
const knownOf = preparedSql<{ studios: number; staff: number; voices: number }, Works>(
  (slot) => sql`
  select ifnull(sum(exists (select 1 from staffs where ${ofWork} and ${isStudio})), 0) as studios,
    ifnull(sum(exists (select 1 from staffs where ${ofWork} and ${isStaff})), 0) as staff,
    ifnull(sum(exists (select 1 from casts where ${ofWork})), 0) as voices
  from ${wanted(slot)}`,
)

const studiosOf = preparedSql<Maker, Works>(
  (slot) => sql`
  select organizations.id, organizations.name, organizations.name_en, works from (
    select organization_id, count(distinct work_id) as works
    from ${wanted(slot)} cross join staffs on ${ofWork} and ${isStudio} group by organization_id)
  join organizations on organizations.id = organization_id and organizations.hidden = 0
  order by works desc, organizations.id limit ${sql.lit(mostMakers)}`,
)

const peopleOf = (credits: RawBuilder<unknown>) =>
  preparedSql<Maker, Works>(
    (slot) => sql`
  select people.id, people.name, people.name_en, works from (
    select person_id, count(distinct work_id) as works
    from ${wanted(slot)} cross join ${credits} group by person_id)
  join people on people.id = person_id and people.hidden = 0
  order by works desc, people.id limit ${sql.lit(mostMakers)}`,
  )

const staffOf = peopleOf(sql`staffs on ${ofWork} and ${isStaff}`)
const voicesOf = peopleOf(sql`casts on ${ofWork}`)

export interface NamedWork extends Titles, CoveredWork {}

/** Those that have a page, in the order of the ids. */
export async function namedWorks(
  read: Read,
  ids: readonly number[],
  reader: number,
): Promise<readonly NamedWork[]> {
  const found = await titlesOf(read, { ids: JSON.stringify(ids), reader })
  const byId = new Map(found.map((work) => [work.id, work]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const titlesOf = preparedSql<NamedWork, { ids: string; reader: number }>(
  (slot) => sql`
  select works.id, works.title, works.title_en, works.title_ro, ${coverColumnsSql(slot('reader'))}
  from json_each(${slot('ids')}) as wanted cross join works on works.id = wanted.value and works.hidden = 0`,
)
