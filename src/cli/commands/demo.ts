import { dataFlag } from '../../backup/way-back'
import { loadDefaultCatalogue } from '../../catalogue/default-catalogue'
import { withCatalogueLock } from '../../catalogue/import/import-catalogue'
import { settings } from '../../config'
import { pausingRunner } from '../../db/in-pieces'
import { type Lock, takeLock } from '../../db/lock'
import type { Store } from '../../db/open'
import { addCommunity } from '../../demo/add-community'
import type { CommunityOptions } from '../../demo/community-rows'
import { type CommunityResult, makeCommunity, refuseIfUsersExist } from '../../demo/make-community'
import { undoUnfinished, unfinished } from '../../demo/undo-community'
import { exitCodes, Failure } from '../../lib/failure'
import type { Option } from '../../options/option'
import { wholeNumber } from '../../values/number'
import { realDay } from '../../values/time'
import { mapped } from '../../values/value'
import { type CliCall, type Command, flag } from '../command'
import { withStore } from '../open'
import { misuse } from '../parse'
import { createProgress, type ProgressLine } from '../progress'
import { table } from '../table'

const users = { ...number('users', 'How many users to create.', 100_000), required: true } as const
const records = {
  ...number('records', 'How many records to create.', 10_000_000),
  required: true,
} as const
const seed = {
  ...number('seed', 'Each number generates a different community.', 2 ** 32 - 1),
  defaultText: '1',
  defaultValue: 1,
}

const until: Option<number | undefined> = {
  name: 'until',
  type: 'DATE',
  sentence: 'The end of the eight years that the community covers.',
  defaultText: 'today (UTC)',
  defaultValue: undefined,
  value: mapped(
    realDay((t) => t.values.date),
    (text) => Date.parse(text),
  ),
}

const force = flag('force', 'Adds to an instance that has users, and leaves them unchanged.')

export const demo: Command = {
  name: 'demo',
  summary: 'Fills an instance with a generated community, for trials and benchmarks.',
  operands: [],
  options: [users, records, seed, until, force],
  examples: [
    'kiroku demo --users 100 --records 5000',
    'kiroku demo --users 20000 --records 1000000 --seed 7 --until 2026-04-01 --data ./large',
  ],
  run: async (call) => {
    const options = optionsOf(call)
    const began = performance.now()
    const progress = createProgress()
    const made = await withStore(call, async (store) => {
      await undoInterrupted(store)
      if (!options.force) refuseIfUsersExist(store.handle)
      await provideCatalogue(store, call.now(), progress)
      return await make(store, call.get(settings.data), { ...options, onProgress: progress.show })
    }).finally(progress.end)
    const seconds = (performance.now() - began) / 1000
    await call.print([...counted(made, seconds), ...nextSteps(call, made)].join('\n'))
  },
}

async function undoInterrupted(store: Store): Promise<void> {
  if (unfinished(store.handle) === undefined) return
  await withCatalogueLock(store, () => undoUnfinished(store.handle, pausingRunner(store.write)))
}

/** In one transaction if no server is running (the lock prevents one from starting), otherwise in short writes. */
async function make(store: Store, directory: string, options: CommunityOptions): Promise<CommunityResult> {
  const lock = lockUnlessServed(directory)
  try {
    return await withCatalogueLock(store, async () => {
      return lock === undefined ? await addCommunity(store, options) : makeCommunity(store.handle, options)
    })
  } finally {
    lock?.release()
  }
}

function lockUnlessServed(directory: string): Lock | undefined {
  try {
    return takeLock(directory)
  } catch (cause) {
    if (cause instanceof Failure && cause.exitCode === exitCodes.busy) return undefined
    throw cause
  }
}

function optionsOf(call: CliCall) {
  const options = {
    users: call.get(users),
    records: call.get(records),
    seed: call.get(seed),
    force: call.get(force),
  }
  if (options.users === 0 && options.records > 0)
    throw misuse(demo, '--users must be above 0 where --records is: somebody has to write them')
  const today = Math.floor(call.now() / day) * day
  const end = call.get(until) ?? today
  if (end > today) throw misuse(demo, '--until must not be in the future')
  return { ...options, until: end }
}

async function provideCatalogue(store: Store, now: number, progress: ProgressLine): Promise<void> {
  if (store.handle.query('select 1 from works limit 1').all().length > 0) return
  const report = await loadDefaultCatalogue(store, now, (lines) =>
    progress.show(`loading the default catalogue: ${lines.toLocaleString('en')} lines`),
  )
  if (report?.failed)
    throw new Failure('data', 'the default catalogue cannot be loaded; kiroku check may show why')
}

function counted({ counts }: CommunityResult, seconds: number): readonly string[] {
  const rows = Object.entries(counts).map(([name, n]) => [`  ${name}`, n.toLocaleString('en')])
  return [`made in ${seconds.toFixed(1)} s:`, table(rows)]
}

function nextSteps(call: CliCall, { example }: CommunityResult): readonly string[] {
  if (example === undefined) return []
  const where = dataFlag(call.get(settings.data))
  return [
    'No password lets anybody in as one of them; a token does, such as one of a user who follows many:',
    `  kiroku token create ${example} --description demo${where} > token`,
    `  kiroku serve${where}`,
    `  curl -H "Authorization: Bearer $(cat token)" http://127.0.0.1:3000/v1/me/following_activities`,
  ]
}

function number(name: string, sentence: string, most: number): Option<number> {
  return { name, type: 'N', sentence, defaultText: '', defaultValue: 0, value: wholeNumber(0, most) }
}

const day = 24 * 60 * 60 * 1000
