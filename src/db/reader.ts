import { Database } from 'bun:sqlite'
import type { Kysely } from 'kysely'
import { kyselyOn } from './dialect'
import type { DB } from './schema'
import type { QueryWatch } from './watching'

export interface Reader {
  readonly kysely: Kysely<DB>
  readonly handle: Database
  close(): Promise<void>
}

/** A read-only connection with a page cache of `cacheKiB`. */
export function openReader(path: string, cacheKiB: number, watch?: QueryWatch): Reader {
  const handle = new Database(path, { readonly: true })
  for (const pragma of pragmas) handle.run(`pragma ${pragma}`)
  handle.run(`pragma cache_size = -${cacheKiB}`)
  const kysely = kyselyOn<DB>(handle, watch)
  return {
    kysely,
    handle,
    close: async () => {
      await kysely.destroy()
      handle.close()
    },
  }
}

const pragmas = [
  'busy_timeout = 5000',
  'query_only = on',
  'trusted_schema = off',
  'cell_size_check = on',
  'temp_store = memory',
]
