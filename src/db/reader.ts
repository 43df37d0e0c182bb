import { Database } from 'bun:sqlite'
import type { Kysely } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import { HandleConnection } from './connections'
import { kyselyOver } from './dialect'
import type { DB } from './schema'
import type { QueryWatch } from './watching'

export type Read = ReadonlyKysely<DB>

export interface Reader {
  readonly read: Read
  readonly handle: Database
  readonly connection: HandleConnection
  close(): Promise<void>
}

/** A read-only connection with a page cache of `cacheKiB`. */
export function openReader(path: string, cacheKiB: number, watch?: QueryWatch): Reader {
  const handle = new Database(path, { readonly: true })
  for (const pragma of pragmas) handle.run(`pragma ${pragma}`)
  handle.run(`pragma cache_size = -${cacheKiB}`)
  const connection = new HandleConnection(handle, watch)
  const kysely = kyselyOver<DB>(handle, connection)
  return {
    read: asRead(kysely),
    handle,
    connection,
    close: async () => {
      await kysely.destroy()
      handle.close()
    },
  }
}

/** Only hides what writes: that would fail on a read-only connection. */
export const asRead = (kysely: Kysely<DB>): Read => kysely as unknown as Read

const pragmas = [
  'busy_timeout = 5000',
  'query_only = on',
  'trusted_schema = off',
  'cell_size_check = on',
  'temp_store = memory',
]
