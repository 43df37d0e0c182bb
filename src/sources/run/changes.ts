import type { Database } from 'bun:sqlite'
import { countingSites } from '../../catalogue/import/kinds/cells'
import { kindOf } from '../../catalogue/import/kinds/kinds'
import type { WorkChange } from './report'

export interface Changes {
  /** At most twenty, of the works with the most users. */
  readonly changes: readonly WorkChange[]
  readonly changesCount: number
}

/** What changes in existing works. `copy` is the changed catalogue, with the current database attached as `live`. */
export function changesIn(copy: Database): Changes {
  const found = [...columns().flatMap((column) => changesOf(copy, column)), ...newIds(copy)]
  const counts = new Map(found.map(({ field, count }) => [field.split('.')[0], count]))
  const visible = found.sort((one, other) => other.users - one.users || other.popularity - one.popularity)
  return {
    changesCount: [...counts.values()].reduce((sum, count) => sum + count, 0),
    changes: visible.slice(0, most).map(({ workId, title, field, old, ...rest }) => ({
      workId,
      title,
      field,
      old: textOf(field, old),
      new: textOf(field, rest.new),
      owner: old === '' || old === null ? '' : rest.owner,
    })),
  }
}

const most = 20

type Value = string | number | null
type FoundChange = Pick<WorkChange, 'workId' | 'title' | 'field' | 'owner'> & {
  readonly old: Value
  readonly new: Value
  readonly users: number
  /** How many changes the query found. */
  readonly count: number
  readonly popularity: number
}

/** Popularity elsewhere changes all the time. */
const columns = () =>
  kindOf.work.fields.map(({ column }) => column).filter((column) => column !== 'popularity')

const changesOf = (copy: Database, column: string): FoundChange[] =>
  copy
    .query<FoundChange, []>(
      `select live.id as workId, live.title, '${column}' as field, live.${column} as old, work.${column} as new,
        source.name as owner, live.watchers_count as users, live.popularity as popularity,
        count(*) over () as count
      from live.works as live join main.works as work using (id)
      join live.sources as source on source.id = ifnull(live.owners ->> '${column}', live.source_id)
      where live.hidden = 0 and live.${column} is not work.${column} ${visibleFirst}`,
    )
    .all()

/** Keys are not compared, as those of other packs do not concern users. */
const newIds = (copy: Database): FoundChange[] =>
  copy
    .query<FoundChange, [string]>(
      `select live.id as workId, live.title, 'ids.' || added.ns as field,
        ifnull((select min(had.external_id) from live.external_ids as had
          where had.kind = 'work' and had.local_id = live.id and had.ns = added.ns), '') as old,
        added.external_id as new, source.name as owner, live.watchers_count as users, live.popularity as popularity,
        count(*) over () as count
      from main.external_ids as added join live.works as live on live.id = added.local_id
      join live.sources as source on source.id = live.source_id
      where added.kind = 'work' and live.hidden = 0
        and (added.is_key = 0 or added.ns in (select value from json_each(?))) and not exists (select 1 from live.external_ids as had
        where had.kind = 'work' and had.ns = added.ns and had.external_id = added.external_id
          and had.local_id = added.local_id) ${visibleFirst}`,
    )
    .all(JSON.stringify([...countingSites]))

const visibleFirst = `order by live.watchers_count desc, live.popularity desc, live.id limit ${most}`

function textOf(field: string, value: Value): string {
  if (value === null) return ''
  const isTime = typeof value === 'number' && field.startsWith('broadcast_')
  return isTime ? new Date(value).toISOString() : String(value)
}
