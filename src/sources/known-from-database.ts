import type { Database } from 'bun:sqlite'
import { priorityOf } from '../catalogue/import/source'
import { keysPerRow } from '../catalogue/search/keys/keys'
import { writtenKey } from '../catalogue/search/keys/written-key'
import { fold } from '../lib/fold'
import type { CatalogueWork, Known } from './known'

/** Shows the visible catalogue as it is at each call. */
export function knownFromDatabase(handle: Database): Known {
  const [people, organizations] = [named(handle, 'people'), named(handle, 'organizations')]
  const castOf = handle.query<NamedWork, [number]>(charactersOfWork)
  const workIds = handle.query<never, [string]>(idsOfWorks)
  const openWorkIds = handle.query<never, [string]>(idsOfOpenWorks)
  const watchedSeasons = handle.query<never, []>(seasonsOfWatchedWorks)
  const better = handle.query<never, [number, number]>(betterCredits)
  const keys = handle.query<{ key: string }, [string, number]>(keysOfRow)

  const creditKey = (kind: string, rows: readonly NamedWork[], name: string): string | undefined => {
    const wanted = fold(name)
    const [only, another] = rows.filter((row) => fold(row.name) === wanted)
    return only === undefined || another !== undefined ? undefined : keys.get(kind, only.id)?.key
  }
  const find = workFinder(handle, ({ isKey }, another) => isKey === 1 || another === undefined)
  return {
    work: find,
    onlyWork: workFinder(handle, (_, another) => another === undefined),
    workIds: (namespace) => texts(workIds.values(namespace)),
    openWorkIds: (namespace) => texts(openWorkIds.values(namespace)),
    watchedSeasons: () => texts(watchedSeasons.values()),
    hasBetterCredits(namespace, id, source) {
      const work = find(namespace, id)
      return work !== undefined && better.get(work.id, priorityOf(handle, source)) !== null
    },
    person: (name) => creditKey('person', people.all(writtenKey(name)), name),
    organization: (name) => creditKey('organization', organizations.all(writtenKey(name)), name),
    character(namespace, workId, name) {
      const work = find(namespace, workId)
      return work === undefined ? undefined : creditKey('character', castOf.all(work.id), name)
    },
  }
}

interface NamedWork {
  readonly id: number
  readonly name: string
}

function workFinder(
  handle: Database,
  isMeant: (one: FoundWork, another: FoundWork | undefined) => boolean,
): (namespace: string, id: string) => CatalogueWork | undefined {
  const works = handle.query<FoundWork, [string, string]>(worksById)
  const names = handle.query<never, [number]>(idsOfWork)
  return (namespace, id) => {
    const [found, another] = works.all(namespace, id)
    if (found === undefined || found.hidden === 1 || !isMeant(found, another)) return undefined
    const { hidden: _, isKey: __, ...work } = found
    const ids = new Map<string, string[]>()
    for (const [site, name] of names.values(work.id))
      ids.set(String(site), [...(ids.get(String(site)) ?? []), String(name)])
    return { ...work, ids }
  }
}

interface FoundWork extends Omit<CatalogueWork, 'ids'> {
  readonly hidden: number
  readonly isKey: number
}

const texts = (rows: readonly (readonly unknown[])[]) => rows.map(([text]) => String(text))

// uses the primary key of external_ids
const worksById = `
  select works.id, title, media, season_year as seasonYear, hidden, is_key as isKey
  from external_ids join works on works.id = local_id
  where kind = 'work' and ns = ? and external_id = ? order by is_key = 0, is_key limit 2`

const idsOfWork = `
  select ns, external_id from external_ids indexed by external_ids_local where kind = 'work' and local_id = ?
  order by ns, external_id`

const idsOfWorks = `
  select distinct external_id from external_ids join works on works.id = local_id and hidden = 0
  where kind = 'work' and ns = ?`

const idsOfOpenWorks = `${idsOfWorks} and broadcast_end is null and no_episodes = 0
  and exists (select 1 from statuses where work_id = works.id)`

const seasonsOfWatchedWorks = `
  select distinct season_year || '-' || ifnull(season, 'all') from works
  where hidden = 0 and season_year is not null and exists (select 1 from statuses where work_id = works.id)
  order by 1`

const isBetter = (table: string) => `
  exists (select 1 from ${table} where work_id = ?1 and hidden = 0 and (
    exists (select 1 from sources where id = source_id and priority > ?2)
    or exists (select 1 from json_each(owners) join sources on sources.id = value where priority > ?2)))`

const betterCredits = `select 1 where ${isBetter('casts')} or ${isBetter('staffs')}`

/**
 * Rows with the same written key, of which those with the same folded name are a part. The key may be stored as
 * another kind: "A7A" also as initials. Uses …_search_keys_key.
 */
const named = (handle: Database, table: 'people' | 'organizations') =>
  handle.query<NamedWork, [string]>(`
    select id, name from ${table} where hidden = 0 and id in (
      select id / ${keysPerRow} from ${table}_search_keys where key = ?)`)

const charactersOfWork = `
  select id, name from characters where hidden = 0 and id in (
    select character_id from casts where work_id = ? and hidden = 0)`

/** Preferably the row's own key, then that of a row merged into it, then an id that no other row has. */
const keysOfRow = `
  select ns || ':' || external_id as key from external_ids as own indexed by external_ids_local
  where kind = ?1 and local_id = ?2 and (is_key > 0 or not exists (
    select 1 from external_ids where kind = ?1 and ns = own.ns and external_id = own.external_id and local_id <> ?2))
  order by is_key = 0, is_key, ns, external_id limit 1`
