import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { seeded } from '../../bench/random'
import { watchMainFile } from '../../src/db/health/watch-main-file'
import { databasePath } from '../../src/db/open'
import { output, run } from '../support/in-process'
import { killedInFile, straceReason } from '../support/killed'
import { type Directory, type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { Ledger } from '../support/ledger'
import { deskCatalogue, desksOf, foundIn } from '../support/ledger-desks'
import { Writer } from '../support/ledger-writer'

/** How often a process is killed while it copies the log into the main file. */
const kills = Number(process.env.KIROKU_TEST_CHECKPOINT_KILLS ?? 6)
const random = seeded(16)

const mainFile = (directory: Directory) => databasePath(realpathSync(directory.file('data')))

/** Within the first `pages` pages, while the first page is copied, or while the main file is flushed. */
function someStep(directory: Directory, pages: number): readonly string[] {
  const [call, nth] = (
    [
      ['pwrite64', 1 + random(pages)],
      ['pwrite64', 2],
      ['fsync', 1],
      ['pwrite64', 1 + random(pages)],
    ] as const
  )[random(4)] ?? ['pwrite64', 1]
  return killedInFile(mainFile(directory), call, nth)
}

/** Makes the log and its database longer. From 4,000 pages on, the next commit copies the log. */
function growLog(directory: Directory, name: string, rewrites: number): void {
  using writer = new Database(mainFile(directory))
  for (const pragma of ['busy_timeout = 60000', 'wal_autocheckpoint = 0']) writer.run(`pragma ${pragma}`)
  const put = writer.query('insert or replace into instance (name, value) values (?, ?)')
  put.run(name, 'x'.repeat(1_000_000))
  for (let time = 0; time < rewrites; time++) put.run('rewritten', String(time).repeat(4_000_000))
}

interface Site {
  readonly directory: Directory
  readonly ledger: Ledger
  readonly writers: readonly Writer[]
}

const start = ({ directory }: Site, through: readonly string[] = []) =>
  startServer(directory, ['--rate-limit', 'off'], { through })

/** What is interrupted ends the requests in flight; the ledger knows which those are. */
async function writeUntil(
  { writers }: Site,
  server: Server,
  interrupt: () => Promise<unknown>,
): Promise<void> {
  const interrupted = new AbortController()
  const writing = writers.map((writer) => writer.write(server.url, interrupted.signal))
  await Bun.sleep(20 + random(100))
  interrupted.abort()
  await interrupt()
  await Promise.all(writing)
}

/** The program is a child of strace's. */
const childOf = ({ pid }: Server) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))

/** Each resolves to whether the process was killed, which is a matter of chance. */
const interruptions: ((site: Site, name: string) => Promise<boolean>)[] = [
  async function byCommit(site, name) {
    const server = await start(site, someStep(site.directory, 1200))
    await writeUntil(site, server, async () => {
      const exited = server.exited.then(() => true)
      // A reader may prevent a checkpoint from completing.
      do growLog(site.directory, name, 5)
      while (!(await Promise.race([exited, Bun.sleep(3000)])))
    })
    return (await server.exited).code === 137
  },
  async function atTheStop(site, name) {
    const server = await start(site, someStep(site.directory, 250))
    growLog(site.directory, name, 0)
    await writeUntil(site, server, async () => {
      process.kill(childOf(server), 'SIGTERM')
      await server.exited
    })
    return (await server.exited).code === 137
  },
  async function byCommandBesideServer(site, name) {
    await using server = await start(site)
    growLog(site.directory, name, 0)
    const args = ['user', 'create', name, '--email', `${name}@example.com`, '--password-stdin']
    const through = someStep(site.directory, 250)
    const { code } = await run(site.directory, args, { through, input: 'correct horse' })
    await expectSound(site, server)
    await writeUntil(site, server, () => server.end('SIGKILL'))
    return code === 137
  },
]

/** Nothing acknowledged is lost, and neither the server's checks nor its check of all pages find damage. */
async function expectSound({ directory, ledger }: Site, server?: Server): Promise<void> {
  const look = watchMainFile(mainFile(directory))
  expect([look(), look()]).toEqual([undefined, undefined])
  expect(await output(directory, ['check', '--pages'])).toBe('ok\n')
  expect(ledger.faults(foundIn(mainFile(directory)))).toEqual([])
  if (server === undefined) return
  expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ status: 'ok', problems: [] })
}

/** The main file's first page has the number of pages. */
const isTorn = (path: string) => readFileSync(path).readUInt32BE(28) * 4096 > statSync(path).size

const timeout = 20_000 + kills * 5_000
test.skipIf(straceReason !== undefined)(
  `D43: nothing is lost or mistaken for damage after each of ${kills} kills in the middle of a checkpoint`,
  async () => {
    using directory = temporaryDirectory()
    await output(directory, ['catalogue', 'import', '-'], { input: deskCatalogue })
    const [ledger, desks] = [new Ledger(), await desksOf(directory)]
    const site = { directory, ledger, writers: desks.map((desk, n) => new Writer(desk, ledger, seeded(n))) }
    let [killed, torn] = [0, 0]
    for (let round = 0; killed < kills; round++) {
      const interrupt = interruptions[round % interruptions.length]
      if (await interrupt?.(site, `round${round}`)) killed++
      if (isTorn(mainFile(directory))) torn++
      await expectSound(site)
      // Continues where the checkpoint ended.
      await using server = await start(site)
      await expectSound(site, server)
      await writeUntil(site, server, () => server.end('SIGTERM'))
    }
    console.log(`${killed} kills, ${torn} left the main file shorter than its first page says`)
    expect(torn).toBeGreaterThan(0)
    expect(site.writers.flatMap(({ surprises }) => surprises)).toEqual([])
    expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
    expect(ledger.acknowledged).toBeGreaterThan(0)
  },
  timeout,
)
