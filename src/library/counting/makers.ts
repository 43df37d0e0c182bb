import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'

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

/** `works`: their ids, each once, of which hidden ones count too. */
export async function makersOf(read: Read, works: readonly number[]): Promise<readonly Makers[]> {
  const ids = JSON.stringify(works)
  const staffs = await staffsOf(read, { ids })
  const people = staffs.filter(({ is_studio }) => is_studio === 0)
  return [
    await studiosAmong(read, staffs),
    { name: 'staff', ...(await named(read, namesOf.people, people)) },
    { name: 'voices', ...(await named(read, namesOf.people, await castsOf(read, { ids }))) },
  ]
}

/** The studios alone. */
export const studiosOf = async (read: Read, works: readonly number[]): Promise<Makers> =>
  studiosAmong(read, await staffsOf(read, { ids: JSON.stringify(works) }))

const studiosAmong = async (read: Read, staffs: readonly Staff[]): Promise<Makers> => ({
  name: 'studios',
  ...(await named(
    read,
    namesOf.organizations,
    staffs.filter(({ is_studio }) => is_studio === 1),
  )),
})

interface Credit {
  readonly work_id: number
  readonly maker: number
}

interface Staff extends Credit {
  /** 0 for a person with another role. */
  readonly is_studio: number
}

type Works = { ids: string }

/** Each counts once for a work, whose credits follow each other. SQLite takes five times as long to group 10,000 of them. */
async function named(read: Read, names: typeof namesOf.people, credits: readonly Credit[]) {
  const counts = new Map<number, { works: number; last: number }>()
  let [known, last] = [0, 0]
  for (const { work_id, maker } of credits) {
    if (work_id !== last) known += 1
    last = work_id
    const count = counts.get(maker)
    if (count === undefined) counts.set(maker, { works: 1, last: work_id })
    else if (count.last !== work_id) counts.set(maker, { works: count.works + 1, last: work_id })
  }
  const least =
    Uint32Array.from(counts.values(), ({ works }) => works)
      .sort()
      .at(-mostMakers) ?? 0
  const most = [...counts]
    .filter(([, { works }]) => works >= least)
    .sort(([one, { works }], [other, others]) => others.works - works || one - other)
    .slice(0, mostMakers)
  const found = await names(read, { ids: JSON.stringify(most.map(([id]) => id)) })
  const makers = found.map((maker) => ({ ...maker, works: counts.get(maker.id)?.works ?? 0 }))
  return { makers, known }
}

const shownOf = sql`work_id = wanted.value and hidden = 0 and withheld = 0`

/** All of them are read from staffs_work_all alone. */
const staffsOf = preparedSql<Staff, Works>(
  (slot) => sql`
  select work_id, iif(role = 'studio', organization_id, person_id) as maker, role = 'studio' as is_studio
  from json_each(${slot('ids')}) as wanted cross join staffs on ${shownOf}
  where iif(role = 'studio', organization_id, person_id) is not null`,
)

/** All of them are read from casts_work_all alone. */
const castsOf = preparedSql<Credit, Works>(
  (slot) => sql`
  select work_id, person_id as maker from json_each(${slot('ids')}) as wanted cross join casts on ${shownOf}`,
)

/** In the order of the ids. */
const namesIn = (table: 'organizations' | 'people') =>
  preparedSql<Omit<Maker, 'works'>, Works>(
    (slot) => sql`
    select one.id, name, name_en from json_each(${slot('ids')}) as wanted
      cross join ${sql.table(table)} as one on one.id = wanted.value and hidden = 0
    order by wanted.key`,
  )

const namesOf = { organizations: namesIn('organizations'), people: namesIn('people') }
