import type { Database } from 'bun:sqlite'
import { sql } from 'kysely'
import path from '../../dist/catalogue-default.jsonl.zst' with { type: 'file' }
import hash from '../../dist/catalogue-default.jsonl.zst.hash.txt' with { type: 'text' }
import { type CatalogueStore, importCatalogue } from './import/import-catalogue'
import type { CatalogueImportOptions } from './import/import-options'
import type { ImportReport } from './import/report'

export type DefaultCatalogueState = 'none' | 'older' | 'current'

/** Undefined if it is already loaded. Throws a `busy` failure during another import. */
export async function loadDefaultCatalogue(
  store: CatalogueStore,
  now: number,
  onProgress?: CatalogueImportOptions['onProgress'],
): Promise<ImportReport | undefined> {
  if (loadedHash(store.handle) === hash) return undefined
  const loaded = { name: instanceName, value: hash }
  const isTrusted = store.handle.query('select 1 from works limit 1').values().length === 0
  const report = await importCatalogue(store, Bun.file(path).stream(), {
    now,
    loaded,
    isTrusted,
    ...(onProgress && { onProgress }),
  })
  if (!report.failed) await takePackAgain(store)
  return report
}

/** Makes `kiroku` packs be taken again: one taken earlier may be newer than what this version embeds. */
const takePackAgain = ({ write }: CatalogueStore) =>
  write((tx) =>
    tx
      .updateTable('catalogue_sources')
      .set({ state: sql`json_set(state, '$.isTaken', json('false'))` })
      .where('name', '=', 'kiroku')
      .execute(),
  )

export const defaultCatalogueState = (handle: Database): DefaultCatalogueState =>
  stateOfLoaded(loadedHash(handle))

/** `loaded`: the value of `default_catalogue` in the table `instance`. */
export function stateOfLoaded(loaded: string | undefined): DefaultCatalogueState {
  if (loaded === undefined) return 'none'
  return loaded === hash ? 'current' : 'older'
}

function loadedHash(handle: Database): string | undefined {
  const [row] = handle
    .query<{ value: string }, [string]>('select value from instance where name = ?')
    .all(instanceName)
  return row?.value
}

const instanceName = 'default_catalogue'
