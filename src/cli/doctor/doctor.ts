import { readSettings, settings } from '../../config'
import { Failure } from '../../lib/failure'
import type { Option } from '../../options/option'
import { nonBlank } from '../../values/text'
import { type CliCall, type Command, flag, json } from '../command'
import { table } from '../table'
import { acceptDatabase } from './accept'
import { attempt, examineDatabase } from './database'
import { type Diagnosis, ok } from './diagnosis'
import { examineBackups, examineDirectory } from './directory'
import { examineLock } from './running'
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
    await report(call, diagnose(call, directory))
  },
}

function diagnose(call: CliCall, directory: string): readonly Diagnosis[] {
  const now = call.now()
  const found = [
    ...attempt('configuration', () => {
      readSettings(call)
      return [ok('configuration', 'can be read')]
    }),
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
