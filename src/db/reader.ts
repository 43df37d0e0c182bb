import { Database } from 'bun:sqlite'
import type { Kysely } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import { GuardedConnection, HandleConnection, type Seer } from './connections'
import { kyselyOver } from './dialect'
import { guardTables, type Sight } from './guard/views'
import type { DB } from './schema'
import type { QueryWatch } from './watching'

export type Read = ReadonlyKysely<DB>

export interface Reader {
  readonly read: Read
  readonly handle: Database
  close(): Promise<void>
}

export interface GuardedReader extends Reader {
  readonly connection: GuardedConnection
  readAs(seer: Seer): Read
}

/** A read-only connection with a page cache of `cacheKiB`. */
export function openReader(path: string, cacheKiB: number, watch?: QueryWatch): Reader {
  const handle = openReadonly(path, cacheKiB)
  handle.run('pragma query_only = on')
  return readerOn(handle, new HandleConnection(handle, watch))
}

/** The same, but what people wrote is read through views that leave out what may not be seen. The file is read-only. */
export function openGuardedReader(
  path: string,
  { cacheKiB, sight }: { readonly cacheKiB: number; readonly sight: Sight },
  watch?: QueryWatch,
): GuardedReader {
  const handle = openReadonly(path, cacheKiB)
  guardTables(handle, sight)
  const connection = new GuardedConnection(handle, watch)
  return {
    ...readerOn(handle, connection),
    connection,
    readAs: (seer) => asRead(kyselyOver<DB>(handle, connection, connection.as(seer))),
  }
}

function openReadonly(path: string, cacheKiB: number): Database {
  const handle = new Database(path, { readonly: true })
  for (const pragma of pragmas) handle.run(`pragma ${pragma}`)
  handle.run(`pragma cache_size = -${cacheKiB}`)
  return handle
}

function readerOn(handle: Database, connection: HandleConnection): Reader {
  const through = connection instanceof GuardedConnection ? connection.as(visitor) : connection
  const kysely = kyselyOver<DB>(handle, connection, through)
  return {
    read: asRead(kysely),
    handle,
    close: async () => {
      await kysely.destroy()
      handle.close()
    },
  }
}

const visitor: Seer = { id: 0, isCrowd: false }

/** Only hides what writes: that would fail on a read-only connection. */
export const asRead = (kysely: Kysely<DB>): Read => kysely as unknown as Read

const pragmas = ['busy_timeout = 5000', 'trusted_schema = off', 'cell_size_check = on', 'temp_store = memory']
