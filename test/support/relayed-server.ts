import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInstance, type Instance } from './instance'
import { type Server, startServer, temporaryDirectory } from './kiroku'
import { createRelay, type Relay } from './relay'

/** A server in a process of its own behind a relay. */
export interface RelayedServer extends AsyncDisposable {
  readonly relay: Relay
  /** The process that runs now. */
  readonly process: Server
  /** Starts it, after its end; `version` is the path of another executable. The relay is open then. */
  start(version?: string): Promise<void>
  /** Reads or writes its database, beside it. */
  query<Row>(sql: string, ...values: SQLQueryBindings[]): Row[]
}

/** Its data are prepared in this process, whose clock is right. */
export async function createRelayedServer(
  prepare: (instance: Instance) => Promise<void>,
): Promise<RelayedServer> {
  const directory = temporaryDirectory()
  const data = directory.file('data')
  const relay = await createRelay(0)
  const instance = await createInstance({ config: { baseUrl: relay.url } })
  instance.clock.now = Date.now()
  await prepare(instance)
  instance.store.handle.run('pragma wal_checkpoint(truncate)')
  // Not what is being written beside it.
  const isWhole = (path: string) => !path.endsWith('.partial')
  cpSync(instance.deps.config.data, data, { recursive: true, filter: isWhole })
  await instance.close()
  const launch = (version?: string) =>
    startServer(directory, ['--data', data, '--base-url', relay.url, '--rate-limit', 'off'], { version })
  let server = await launch()
  relay.passTo(server.port)
  return {
    relay,
    get process() {
      return server
    },
    start: async (version) => {
      server = await launch(version)
      relay.passTo(server.port)
      relay.set('open')
    },
    query: <Row>(sql: string, ...values: SQLQueryBindings[]) => {
      using database = new Database(join(data, 'kiroku.db'))
      database.run('pragma busy_timeout = 10000')
      return database.query<Row, SQLQueryBindings[]>(sql).all(...values)
    },
    [Symbol.asyncDispose]: async () => {
      await server.end('SIGKILL')
      await relay.close()
      directory[Symbol.dispose]()
    },
  }
}
