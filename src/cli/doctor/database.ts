import { existsSync } from 'node:fs'
import { dataFlag, newestRestoreCommand, restoreCommand } from '../../backup/way-back'
import { DamagedFile } from '../../db/file-failure'
import { highWaterPath, readHighWater } from '../../db/health/high-water'
import { readLastCheck } from '../../db/health/last-check'
import { sizeOf } from '../../db/health/main-file'
import { databasePath } from '../../db/open'
import { largeWalBytes } from '../../db/storage'
import { Failure } from '../../lib/failure'
import { requireDatabase } from '../database-state'
import { examineFile } from '../examine-file'
import { type Diagnosis, note, ok, problem } from './diagnosis'

/** Checks the file, schema, high-water mark, log and contents; `isDeep` also reads every index. */
export function examineDatabase(
  directory: string,
  { isDeep, now }: { isDeep: boolean; now: number },
): readonly Diagnosis[] {
  const schema = attempt('database', () => [schemaOf(directory)])
  if (schema.some(({ kind }) => kind === 'noInput') || sizeOf(databasePath(directory)) === 0) return schema
  const checked = attempt('check', () => pages(directory, isDeep))
  const isTold = schema.some(({ isUnreadable, message }) =>
    checked.some((one) => one.level === 'problem' && (isUnreadable || one.message === message)),
  )
  return [
    ...(isTold ? [] : schema),
    ...mark(directory, now),
    log(directory),
    ...checked,
    lastCheck(directory),
  ]
}

function schemaOf(directory: string): Diagnosis {
  const { applied, pending } = requireDatabase(directory)
  const last = applied.at(-1)?.name
  return pending.length === 0
    ? ok('database', `of this version, migration ${last}`)
    : note('database', `${pending.length} migrations are pending`, 'kiroku migrate up, or start the server')
}

function mark(directory: string, now: number): readonly Diagnosis[] {
  const found = readHighWater(directory)
  if (found === undefined) {
    const what = existsSync(highWaterPath(directory)) ? `${highWaterPath(directory)} is broken` : 'missing'
    return [
      note('high-water mark', `${what}: an older database would go unnoticed`, 'kiroku serve creates it'),
    ]
  }
  const told = ok('high-water mark', `at ${found.tick}, last written ${found.at}`)
  const isAhead = Date.parse(found.at) > now + 86_400_000
  return isAhead
    ? [
        told,
        problem(
          'clock',
          'config',
          `it is earlier than kiroku’s last write, ${found.at}`,
          'set the clock: timedatectl',
        ),
      ]
    : [told, ok('clock', new Date(now).toISOString())]
}

function log(directory: string): Diagnosis {
  const bytes = sizeOf(`${databasePath(directory)}-wal`)
  const told = `${Math.ceil(bytes / 1_000_000)} MB`
  return bytes > largeWalBytes
    ? note(
        'log',
        `${told}: a program has been reading the database for a long time`,
        `lsof ${databasePath(directory)}`,
      )
    : ok('log', told)
}

function pages(directory: string, isDeep: boolean): readonly Diagnosis[] {
  const findings = examineFile(directory, isDeep ? 'indexes' : 'pages')
  if (findings.length === 0)
    return [ok('check', isDeep ? 'pages, indexes and references are sound' : 'pages are sound')]
  return findings
    .slice(0, 5)
    .map(({ kind, message }) =>
      kind === 'damage'
        ? problem('check', 'data', message, waysOut(directory))
        : note('check', `${kind}: ${message}`, 'kiroku check --deep'),
    )
}

function waysOut(directory: string): string {
  const restore = newestRestoreCommand(directory) ?? restoreCommand(directory, 'FILE')
  return `stop the server and copy the data directory; then ${restore}, or kiroku doctor --salvage DIR${dataFlag(directory)} for what is readable`
}

function lastCheck(directory: string): Diagnosis {
  const last = readLastCheck(directory)
  if (last === undefined) return note('nightly check', 'none has completed yet')
  const told = `${last.outcome} on ${last.at}, after ${last.seconds} s`
  return last.outcome === 'ok'
    ? ok('nightly check', told)
    : note(
        'nightly check',
        `${told}: ${last.findings[0]}`,
        'kiroku check --indexes, whose result replaces it',
      )
}

/** A `Failure` thrown by `look` becomes a problem. */
export function attempt(about: string, look: () => readonly Diagnosis[]): readonly Diagnosis[] {
  try {
    return look()
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    return [{ ...problem(about, cause.kind, cause.message), isUnreadable: cause instanceof DamagedFile }]
  }
}
