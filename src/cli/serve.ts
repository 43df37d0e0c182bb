import { finishDeletions } from '../accounts/deletion'
import { createApp } from '../app'
import { type Config, readSettings, type Settings, settings } from '../config'
import { takeLock } from '../db/lock'
import { openHandle, openStore, prepareDirectory, type Read, type Store } from '../db/open'
import { createLog, type Log } from '../log'
import { version } from '../version'
import type { Call, Command } from './command'
import { keepEstimates, loadCatalogue } from './default-catalogue'
import { upgradeLocked } from './open'
import { listen, stop } from './server'
import { type Signals, watchSignals } from './signals'
import { urlOf } from './url'

export const serve: Command = {
  name: 'serve',
  summary: 'Serves the API and the pages until it is told to stop; what kiroku does without a command.',
  operands: [],
  options: [],
  examples: [
    'kiroku',
    'kiroku serve --port 8080 --data /var/lib/kiroku --base-url https://kiroku.example',
    'KIROKU_REGISTRATION=closed kiroku serve --host 0.0.0.0',
  ],
  run: async (call) => {
    const signals = watchSignals()
    const asked = readSettings(call)
    prepareDirectory(asked.data)
    const lock = takeLock(asked.data)
    try {
      const { snapshot } = await upgradeLocked(asked.data)
      if (snapshot !== undefined) await call.note(`upgraded the database; a copy from before: ${snapshot}`)
      const store = openStore(asked.data, openHandle(asked.data))
      await serveStore(call, asked, store, signals).finally(() => store.close())
    } finally {
      lock.release()
    }
  },
}

async function serveStore(call: Call, asked: Settings, store: Store, signals: Signals): Promise<void> {
  const { now, random } = call
  const log = logOf(call)
  if (asked.catalogue) await loadCatalogue(store, now, log)
  const server = listen(asked, (request, peer) => app.handle(request, peer))
  const address = urlOf(asked.host, server.port ?? asked.port)
  const config: Config = { ...asked, port: server.port ?? asked.port, baseUrl: asked.baseUrl ?? address }
  const { read, write, version: databaseVersion } = store
  let hasToStop = false
  const isStopping = () => hasToStop
  const app = createApp({ read, write, version: databaseVersion, config, now, random, log, isStopping })
  surviveFaults(log)
  if (asked.catalogue) keepEstimates(store, now, log)
  void finishDeletions({ read, write, now, log })
  signals.ready()
  const lines = [
    `kiroku ${version} listening on ${address}`,
    ...(await nextSteps(store.read, config, address)),
  ]
  // Whoever started it may have stopped reading; that is no reason not to serve.
  await call.print(lines.join('\n')).catch(() => {})
  log('stopping', { signal: await signals.stop })
  hasToStop = true
  await stop(server)
}

/** A log that nobody reads any more is no failure either. */
function logOf({ now }: Call): Log {
  process.stderr.on('error', () => {})
  return createLog({ json: !process.stderr.isTTY, now, write: (line) => process.stderr.write(`${line}\n`) })
}

/** Requests are answered on their own, so one fault elsewhere is no reason to leave all the others unanswered. */
function surviveFaults(log: Log): void {
  const note = (cause: unknown) => log('fault', { why: cause instanceof Error ? cause.stack : String(cause) })
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
}

/** What to do next, for whoever reads the terminal; nothing for an instance in use. */
async function nextSteps(read: Read, { baseUrl, data }: Config, address: string): Promise<readonly string[]> {
  const lines = baseUrl === address ? [] : [`reached as ${baseUrl}`]
  const user = await read.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) return lines
  const where = data === settings.data.otherwise ? '' : ` --data ${data}`
  return [
    ...lines,
    'There is no user yet. In another terminal, make one and a token for the API:',
    `  kiroku user create NAME --email ADDRESS --admin${where}`,
    `  kiroku token create NAME --description "my first token"${where}`,
    `The API is described at ${baseUrl}/docs.`,
  ]
}
