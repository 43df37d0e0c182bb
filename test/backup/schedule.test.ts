import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { lastBackup } from '../../src/backup/last-backup'
import { backupName } from '../../src/backup/names'
import { noteFailure } from '../../src/backup/notes'
import { startBackupJobs } from '../../src/cli/server/backup-jobs'
import { backupsIn, makeInstance } from '../support/backups'
import { createInstance, type Instance, start } from '../support/instance'
import { type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { until } from '../support/until'

const hour = 3_600_000
const every = 24 * hour
let kiroku: Instance
let ran: string[]
beforeEach(async () => {
  kiroku = await createInstance({ config: { backupEvery: every, backupKeep: { d: 7, m: 2 } } })
  mkdirSync(join(kiroku.deps.config.data, 'backups'))
  ran = []
})
afterEach(() => kiroku.close())

const ok = { code: 0, said: '{"name":"x","bytes":2000,"in":"/backups"}', complained: '', cpuMs: 0 }

/** Checks several times whether a backup is due; each command ends with the next outcome, and the last one repeats. */
async function look(...outcomes: (typeof ok)[]): Promise<string[]> {
  ran = []
  const run = async (words: readonly string[]) => {
    ran.push(words.slice(0, 2).join(' '))
    return outcomes[Math.min(ran.length, outcomes.length) - 1] ?? ok
  }
  // Each check asks the clock at least once, so this is several checks.
  let asked = 0
  const steady = () => {
    asked += 1
    return kiroku.deps.steady()
  }
  const jobs = startBackupJobs({ ...kiroku.deps, steady }, { run, firstMs: 0, thenMs: 1 })
  await until(() => asked > 20)
  await jobs.stop()
  return ran
}

const keep = (at: number) => writeFileSync(join(kiroku.deps.config.data, 'backups', backupName(at)), 'x')
const events = () => kiroku.lines.map(({ event, facts }) => [event, facts.why ?? facts.size])

test('none is made if there is a backup less than a day old', async () => {
  keep(start - every + 1000)
  expect(await look(ok)).toEqual([])
})

test('a missed one is made, then old ones are removed', async () => {
  keep(start - every)
  expect((await look(ok)).slice(0, 2)).toEqual(['backup create', 'backup prune'])
  expect(events()[0]).toEqual(['backup_made', '2 kB'])
})

test('a backup dated in the future, from before the clock was set back, does not stop the schedule', async () => {
  keep(start + 1000)
  expect((await look(ok))[0]).toBe('backup create')
})

test('a backup from the future does not cause another one every half minute either', async () => {
  keep(start + every)
  keep(start - every + 1000)
  expect(await look(ok)).toEqual([])
})

test('a failure is logged with its message, noted, and tried again in an hour', async () => {
  const failure = { code: 74, said: '', complained: 'kiroku: there is not enough room\n', cpuMs: 0 }
  expect(await look(failure)).toEqual(['backup create'])
  expect(events()).toEqual([['backup_failed', 'kiroku: there is not enough room']])
  expect(lastBackup(kiroku.deps.config.data, start).failed).toEqual({
    at: start,
    why: 'kiroku: there is not enough room',
  })
})

test('a killed backup is noted too, even after an older failure', async () => {
  noteFailure(kiroku.deps.config.data, 'no room', start - 1)
  expect(await look({ code: 137, said: '', complained: '', cpuMs: 0 })).toEqual(['backup create'])
  expect(lastBackup(kiroku.deps.config.data, start).failed).toEqual({
    at: start,
    why: 'it ended with exit code 137',
  })
})

test('a failure that cannot be noted is still logged, once', async () => {
  rmSync(join(kiroku.deps.config.data, 'backups'), { recursive: true })
  writeFileSync(join(kiroku.deps.config.data, 'backups'), 'no directory')
  expect(await look({ code: 78, said: '', complained: 'not a directory', cpuMs: 0 })).toEqual([
    'backup create',
  ])
  rmSync(join(kiroku.deps.config.data, 'backups'))
  expect(events()).toEqual([['backup_failed', 'not a directory']])
})

test('one made by hand at the same time causes no failure', async () => {
  await look({ code: 75, said: '', complained: 'another one', cpuMs: 0 })
  expect([events(), lastBackup(kiroku.deps.config.data, start).failed]).toEqual([[], undefined])
})

test('old ones that cannot be removed are reported', async () => {
  await look(ok, { code: 74, said: '', complained: 'read-only', cpuMs: 0 })
  expect(events()).toEqual([
    ['backup_made', '2 kB'],
    ['backup_failed', 'old ones were not removed: read-only'],
  ])
})

test('off turns the schedule off', async () => {
  const made: (readonly string[])[] = []
  const run = async (words: readonly string[]) => {
    made.push(words)
    return ok
  }
  const config = { ...kiroku.deps.config, backupEvery: null }
  const jobs = startBackupJobs({ ...kiroku.deps, config }, { run, firstMs: 0, thenMs: 1 })
  expect((await look(ok))[0]).toBe('backup create')
  await jobs.stop()
  expect(made).toEqual([])
})

/** The child processes of a process that are still running. */
function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') return []
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

function isBackup(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0backup\0create\0')
  } catch {
    return false
  }
}

/** The priority of the process in which a server makes a backup; undefined if none was seen before the backup exists. */
async function priorityOfBackup(server: Server, isMade: () => boolean): Promise<number | undefined> {
  let pid: number | undefined
  await until(() => {
    pid = childrenOf(server.pid).find(isBackup)
    return pid !== undefined || isMade()
  })
  if (pid !== undefined) {
    process.kill(pid, 'SIGSTOP')
    // The server lowers it right after starting the process: a response shows that it has got that far.
    await fetch(`${server.url}/readyz`)
    const priority = getPriority(pid)
    process.kill(pid, 'SIGCONT')
    return priority
  }
  return undefined
}

test('a server makes one some seconds after its start, in a low-priority process, and no second one', async () => {
  using directory = temporaryDirectory()
  await makeInstance(directory)
  const data = directory.file('data')
  await using server = await startServer(directory, [], { through: ['sh', '-c', 'exec "$0" "$@" 2>log'] })
  const log = () => readFileSync(directory.file('log'), 'utf8')
  const isMade = () => lastBackup(data, Date.now()).verifiedAt !== undefined
  const priority = await priorityOfBackup(server, isMade)
  if (process.platform === 'linux') expect(priority).toBe(19)
  await until(isMade)
  // It is noted before its process ends, and logged after that.
  await until(() => childrenOf(server.pid).length === 0 && log().includes('"event":"backup_made"'))
  const answer = await (await fetch(`${server.url}/readyz`)).json()
  expect(answer).toMatchObject({ warnings: [], last_backup_at: expect.any(String) })
  expect((await server.end('SIGTERM')).code).toBe(0)
  const events = log()
    .split('\n')
    .filter((line) => line.includes('backup'))
  expect([events, backupsIn(data).length]).toEqual([[expect.stringContaining('backup_made')], 1])
})
