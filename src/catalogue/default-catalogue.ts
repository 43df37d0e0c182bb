import type { Database } from 'bun:sqlite'
import path from '../../dist/catalogue-default.jsonl.zst' with { type: 'file' }
import { importCatalogue } from './import/import-catalogue'
import type { ImportReport } from './import/report'

/** Whether the catalogue that comes with this executable is loaded: not at all, an older one, or this very one. */
export type DefaultCatalogueState = 'none' | 'older' | 'current'

/**
 * Loads the catalogue that comes with the executable. Undefined where this very one was loaded before: then it costs no
 * more than reading the file. `handle` belongs to the import until it is done.
 */
export async function loadDefaultCatalogue(
  handle: Database,
  now: number,
  onProgress?: (lines: number) => void,
): Promise<ImportReport | undefined> {
  const pack = await Bun.file(path).bytes()
  const hash = hashOf(pack)
  if (loadedHash(handle) === hash) return undefined
  return await importCatalogue(handle, once(pack), {
    now,
    ...(onProgress && { onProgress }),
    conclude: () => {
      handle.query('insert or replace into instance (name, value) values (?, ?)').run(instanceName, hash)
    },
  })
}

/** Which it is of a database. */
export async function defaultCatalogueState(handle: Database): Promise<DefaultCatalogueState> {
  const loaded = loadedHash(handle)
  if (loaded === undefined) return 'none'
  return loaded === hashOf(await Bun.file(path).bytes()) ? 'current' : 'older'
}

function loadedHash(handle: Database): string | undefined {
  const [row] = handle
    .query<{ value: string }, [string]>('select value from instance where name = ?')
    .all(instanceName)
  return row?.value
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

const hashOf = (pack: Uint8Array) => Bun.hash.xxHash64(pack).toString(16)

const instanceName = 'default_catalogue'
