import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { seeded } from '../../bench/random'
import { databasePath } from '../../src/db/open'
import { type CuttableDisk, cuttableDisk, cuttableDiskReason } from '../support/cuttable-disk'
import { output } from '../support/in-process'
import { straceReason } from '../support/killed'
import { type Server, startServer } from '../support/kiroku'
import { Ledger } from '../support/ledger'
import { codeSpender } from '../support/ledger-codes'
import { deskCatalogue, desksOf, foundIn } from '../support/ledger-desks'
import { startAgain } from '../support/ledger-start'
import { Writer } from '../support/ledger-writer'
import { until } from '../support/until'

/** How often the power is cut. */
const cuts = Number(process.env.KIROKU_TEST_POWER_CUTS ?? 4)
const random = seeded(43)

async function ledgerOn({ directory }: CuttableDisk) {
  await output(directory, ['catalogue', 'import', '-'], { input: deskCatalogue })
  const desks = await desksOf(directory)
  const ledger = new Ledger()
  const writers = desks.map((desk, index) => new Writer(desk, ledger, seeded(index)))
  return { ledger, writers, token: desks[0]?.token ?? '' }
}

/** Lets the writers write until both the server and the disk are gone. */
async function writeUntilCut(
  { cut, turnOn }: CuttableDisk,
  { url, exited }: Server,
  pid: number,
  write: (url: string, over: AbortSignal) => readonly Promise<void>[],
  acknowledged: () => number,
): Promise<void> {
  const over = new AbortController()
  const enough = acknowledged() + 10
  const writing = write(url, over.signal)
  await until(() => acknowledged() >= enough)
  await Bun.sleep(random(100))
  over.abort()
  // A running server would answer 503.
  process.kill(pid, 'SIGSTOP')
  await until(() => /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
  cut()
  process.kill(pid, 'SIGKILL')
  await Promise.all([exited, ...writing])
  await turnOn()
}

test.skipIf(cuttableDiskReason !== undefined)(
  `D43: after each of ${cuts} power cuts, everything acknowledged is kept, and no spent code is valid again`,
  async () => {
    using disk = cuttableDisk()
    const { ledger, writers, token } = await ledgerOn(disk)
    const spender = await codeSpender(disk.directory, 200 * cuts)
    const writeAll = (url: string, over: AbortSignal) => [
      ...writers.map((writer) => writer.write(url, over)),
      spender.spend(url, over),
    ]
    const acknowledged = () => Math.min(ledger.acknowledged, spender.spentCodes)
    for (let cut = 0; cut < cuts; cut++) {
      await using server = await startAgain(disk.directory, ledger, token)
      await spender.expectSpent(server.url)
      await writeUntilCut(disk, server, server.pid, writeAll, acknowledged)
    }
    {
      await using last = await startAgain(disk.directory, ledger, token)
      await spender.expectSpent(last.url)
      expect(writers.flatMap(({ surprises }) => surprises)).toEqual([])
      expect(await output(disk.directory, ['check', '--deep'])).toBe('ok\n')
    }
    const { refused, lost, kept } = ledger
    console.log(`${spender.spentCodes} codes exchanged`)
    console.log(`${cuts} power cuts: ${ledger.acknowledged} writes acknowledged, ${refused} refused`)
    console.log(`${lost} in flight when the power was cut, ${kept} of them kept`)
  },
  120_000 + cuts * 20_000,
)

test.skipIf(cuttableDiskReason !== undefined || straceReason !== undefined)(
  'D43: the same test detects losses on a disk that acknowledges flushes without doing them',
  async () => {
    using disk = cuttableDisk()
    const { ledger, writers } = await ledgerOn(disk)
    const through = ['strace', '-f', '-qq', '-o', '/dev/null', ...lyingFlushes]
    await using server = await startServer(disk.directory, ['--rate-limit', 'off'], { through })
    // strace has one child.
    const pid = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'))
    const writeAll = (url: string, over: AbortSignal) => writers.map((writer) => writer.write(url, over))
    await writeUntilCut(disk, server, pid, writeAll, () => ledger.acknowledged)
    expect(ledger.faults(foundIn(databasePath(disk.directory.file('data')))).length).toBeGreaterThan(0)
  },
  120_000,
)

const lyingFlushes = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:retval=0']
