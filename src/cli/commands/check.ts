import { repairNames } from '../../accounts/name-drift'
import { repair } from '../../catalogue/counters/repair'
import { withCatalogueLock } from '../../catalogue/import/import-catalogue'
import { repairMerges } from '../../catalogue/import/merge/heal'
import { settings } from '../../config'
import { writeLastCheck } from '../../db/health/last-check'
import { pausingRunner } from '../../db/in-pieces'
import { hasDatabase, type Store } from '../../db/open'
import { Failure } from '../../lib/failure'
import { isoTime } from '../../lib/time'
import { type CliCall, type Command, flag, json } from '../command'
import { requireDatabase } from '../database-state'
import { examine, type Finding, isRepairable, summaryOf } from '../examine'
import { examineFile } from '../examine-file'
import { withExistingStore } from '../open'

const deep = flag(
  'deep',
  'Also recounts every counter, compares the search index with the texts, and every index with its table.',
)
const pages = flag('pages', 'Checks only the pages of the file, not the references between tables.')
const indexes = flag('indexes', 'Also compares every index with its table.')
const repairFlag = flag(
  'repair',
  'Does what --deep does, then repairs the counters, the search index and unfinished merges.',
)

export const check: Command = {
  name: 'check',
  summary: 'Checks the database for damage and dangling references. The server may be running.',
  operands: [],
  options: [pages, indexes, deep, repairFlag, json],
  examples: ['kiroku check', 'kiroku check --deep --json', 'kiroku check --repair'],
  run: async (call) => {
    const mends = call.get(repairFlag)
    if (!mends && !call.get(deep) && (call.get(pages) || call.get(indexes))) return await checkFile(call)
    const depth = mends || call.get(deep) ? 'deep' : 'quick'
    const { repaired, findings } = await withExistingStore(call, async (store) => {
      const found = examine(store.handle, depth)
      return mends ? await repairFindings(store, found) : { repaired: [], findings: found }
    })
    await report(call, findings, mends ? repaired : undefined)
  },
}

/** Also reports a database that cannot be opened. Stores damage, and the result of a complete check, for the server. */
async function checkFile(call: CliCall): Promise<void> {
  const directory = call.get(settings.data)
  if (!hasDatabase(directory)) requireDatabase(directory)
  const isWhole = call.get(indexes)
  const begun = performance.now()
  const findings = examineFile(directory, isWhole ? 'indexes' : 'pages')
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  const summary = summaryOf(findings)
  if (isWhole || summary.outcome === 'damage')
    writeLastCheck(directory, { at: isoTime(call.now()), seconds, ...summary })
  await report(call, findings)
}

async function report(
  call: CliCall,
  findings: readonly Finding[],
  repaired?: readonly Finding[],
): Promise<void> {
  const ok = findings.length === 0
  if (call.get(json)) await call.print(JSON.stringify({ ok, findings, repaired }, null, 2))
  else
    await call.print([...listOf(repaired ?? [], 'repaired '), ...(ok ? ['ok'] : listOf(findings))].join('\n'))
  if (!ok) throw unsoundFailure(findings)
}

interface RepairResult {
  readonly repaired: readonly Finding[]
  readonly findings: readonly Finding[]
}

/** Repairs nothing if the file is damaged. */
async function repairFindings(store: Store, found: readonly Finding[]): Promise<RepairResult> {
  const { handle, write } = store
  const isDamaged = found.some(({ kind }) => kind === 'damage')
  const repaired = isDamaged ? [] : found.filter(isRepairable)
  if (repaired.length === 0) return { repaired, findings: found }
  if (repaired.some(({ kind }) => kind === 'merge'))
    await withCatalogueLock(store, () => repairMerges(handle, pausingRunner(write)))
  await repair(handle)
  await repairNames(handle)
  return { repaired, findings: examine(handle, 'deep') }
}

const listOf = (findings: readonly Finding[], word = '') =>
  findings.map(({ kind, message }) => `${word}${kind}: ${message}`)

function unsoundFailure(findings: readonly Finding[]): Failure {
  const n = findings.length
  const remedy = findings.every(isRepairable)
    ? 'kiroku check --repair fixes that'
    : 'that cannot be repaired: kiroku doctor shows what to do'
  return new Failure('data', `the database is not sound: ${n} finding${n === 1 ? '' : 's'}; ${remedy}`)
}
