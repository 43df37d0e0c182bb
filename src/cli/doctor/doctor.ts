import { Database } from 'bun:sqlite'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { readSettings, settings } from '../../config'
import { forgetHighWater, readHighWater } from '../../db/health/high-water'
import { mainFileTick, sizeOf } from '../../db/health/main-file'
import { lockPath, takeLock } from '../../db/lock'
import { databasePath } from '../../db/open'
import { Failure } from '../../lib/failure'
import type { Option } from '../../options/option'
import type { Provider } from '../../options/providers'
import { nonBlank } from '../../values/text'
import { baseUrlOf } from '../base-url'
import { type CliCall, type Command, flag, json } from '../command'
import { table } from '../table'
import { attempt, examineDatabase } from './database'
import { type Diagnosis, ok } from './diagnosis'
import { examineBackups, examineDirectory } from './directory'
import { examineProviders } from './providers'
import { salvage } from './salvage'

const deep = flag('deep', 'Also compares every index with its table and checks references between tables.')
const accept = flag(
  'accept-database',
  'Accepts the current database and clock, even if they are older than, or different from, the last ones here.',
)
const salvageTo: Option<string | undefined> = {
  name: 'salvage',
  type: 'DIR',
  sentence: 'Copies everything still readable in a damaged database into a new data directory.',
  defaultText: '',
  defaultValue: undefined,
  value: nonBlank,
}

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Checks everything kiroku needs and prints what is wrong and what to type. Changes nothing without an option that says so.',
  operands: [],
  options: [deep, accept, salvageTo, json],
  examples: ['kiroku doctor', 'kiroku doctor --deep --json', 'kiroku doctor --salvage ./saved'],
  run: async (call) => {
    const directory = call.get(settings.data)
    if (call.get(accept)) return await call.print(acceptDatabase(directory, call.now()).join('\n'))
    const target = call.get(salvageTo)
    if (target !== undefined) return await salvage(call, directory, target)
    await report(call, await diagnose(call, directory))
  },
}

/**
 * Accepts the current database as the right one; returns what was done. Sets aside a write-ahead log that
 * belongs to another file. Throws a `busy` failure while a server is running.
 */
function acceptDatabase(directory: string, now: number): readonly string[] {
  const lock = takeLock(directory)
  try {
    const path = databasePath(directory)
    const done = isLogOfAnother(directory, path) ? setAside(path, new Date(now).toISOString()) : []
    forgetHighWater(directory)
    return [...done, 'the next start accepts the current database']
  } finally {
    lock.release()
  }
}

function isLogOfAnother(directory: string, path: string): boolean {
  if (sizeOf(path) === 0) return true
  const [mark, tick] = [readHighWater(directory), mainFileTick(path)]
  return mark !== undefined && tick !== undefined && tick < mark.checkpointed
}

function setAside(path: string, time: string): readonly string[] {
  return ['-wal', '-shm'].flatMap((suffix) => {
    const file = path + suffix
    if (!existsSync(file)) return []
    const kept = `${file}.${time.replaceAll(/[-:]|\.\d+/g, '')}`
    renameSync(file, kept)
    return [`set ${file} aside as ${kept}`]
  })
}

async function diagnose(call: CliCall, directory: string): Promise<readonly Diagnosis[]> {
  const now = call.now()
  let providers: readonly Provider[] = []
  const found = [
    ...attempt('configuration', () => {
      providers = readSettings(call).providers
      return [ok('configuration', 'can be read')]
    }),
    ...(await examineProviders(providers, providers.length === 0 ? undefined : linksOf(call))),
    ...examineDirectory(directory, call.get(settings.allowNetworkFilesystem)),
  ]
  const isReachable = !found.some(
    ({ about, level }) => level === 'problem' && /^(?:directory|permissions)$/.test(about),
  )
  if (!isReachable) return found
  const isDeep = call.get(deep)
  return [
    ...found,
    examineLock(directory),
    ...examineDatabase(directory, { isDeep, now }),
    ...attempt('backups', () => [examineBackups(directory, now, call.get(settings.backupEvery))]),
  ]
}

/** Undefined if nothing tells where this instance is. */
function linksOf(call: CliCall): string | undefined {
  try {
    return baseUrlOf(call)
  } catch (cause) {
    if (cause instanceof Failure) return undefined
    throw cause
  }
}

async function report(call: CliCall, found: readonly Diagnosis[]): Promise<void> {
  const problems = found.filter(({ level }) => level === 'problem')
  const [first] = problems
  if (call.get(json)) {
    const findings = found.map(({ about, level, message, remedy = null }) => ({
      about,
      level,
      message,
      remedy,
    }))
    await call.print(JSON.stringify({ ok: first === undefined, findings }, null, 2))
  } else await call.print(textOf(found))
  if (first === undefined) return
  const which = [...new Set(problems.map(({ about }) => about))].join(', ')
  throw new Failure(
    first.kind ?? 'data',
    `${problems.length} problem${problems.length === 1 ? '' : 's'}: ${which}`,
  )
}

/** A line for each diagnosis, with the command to type below those that have a remedy. */
function textOf(found: readonly Diagnosis[]): string {
  const lines = table(found.map(({ about, level, message }) => [marks[level], about, message])).split('\n')
  return found
    .flatMap(({ remedy }, index) => [
      lines[index] ?? '',
      ...(remedy === undefined ? [] : [`         → ${remedy}`]),
    ])
    .join('\n')
}

const marks = { ok: 'ok', note: 'note', problem: 'PROBLEM' } as const

function examineLock(directory: string): Diagnosis {
  const path = lockPath(directory)
  if (!isHeld(path)) return ok('server', 'none is using this directory')
  const holder = holderOf(path)
  return ok('server', `one is using this directory${holder === undefined ? '' : `, process ${holder}`}`)
}

/** Neither takes the lock nor creates the file. */
function isHeld(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    using handle = new Database(path, { readonly: true })
    handle.query('select 1 from sqlite_schema').all()
    return false
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && /^SQLITE_BUSY/.test(String(cause.code))
  }
}

/** Linux identifies locks by inode: `1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`. */
function holderOf(path: string): string | undefined {
  try {
    const { ino } = statSync(path)
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((text) => text.includes(`:${ino} `) && text.includes('WRITE'))
    return line?.split(/\s+/)[4]
  } catch {
    return undefined
  }
}
