import type { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import { type PieceRunner, pausingRunner } from '../../db/in-pieces'
import { takeCatalogueLock } from '../../db/lock'
import type { Store } from '../../db/open'
import type { Header } from './file/header'
import { endImport, keepImport, type PendingImport, pendingImport } from './file/pending-import'
import { readFile } from './file/read-file'
import { Spool } from './file/spool'
import type { CatalogueImportOptions } from './import-options'
import { type ImportReport, LineTally } from './report'
import type { ImportTarget } from './run'
import { copyCatalogue, hasScratch, openScratch, removeScratch } from './scratch'
import { type TakenFile, takeFile } from './take-file'

export interface CatalogueStore extends Pick<Store, 'handle' | 'write'> {
  /** How long to wait for another change of the catalogue; 30 s by default. */
  readonly patienceMs?: number
}

/** Checks a copy, so problems change nothing; applies in short, resumable writes. Throws `busy` during another import. */
export async function importCatalogue(
  store: CatalogueStore,
  input: AsyncIterable<Uint8Array>,
  options: CatalogueImportOptions,
): Promise<ImportReport> {
  return await withCatalogueLock(store, async () => {
    await applyPending(store, options)
    return await importFile(store, input, options)
  })
}

/**
 * Resumes an interrupted import and returns whether there was one. Deletes the scratch file of a killed
 * import. Throws like `importCatalogue`.
 */
export async function finishImport(
  store: CatalogueStore,
  options: Pick<CatalogueImportOptions, 'now'>,
): Promise<boolean> {
  const directory = dirname(store.handle.filename)
  if (pendingImport(store.handle) === undefined && !hasScratch(directory)) return false
  return await withCatalogueLock(store, async () => {
    removeScratch(directory)
    return await applyPending(store, options)
  })
}

export async function withCatalogueLock<T>(
  { handle, patienceMs = 30_000 }: CatalogueStore,
  run: () => Promise<T>,
): Promise<T> {
  const lock = await takeCatalogueLock(dirname(handle.filename), patienceMs)
  try {
    return await run()
  } finally {
    lock.release()
  }
}

async function importFile(
  store: CatalogueStore,
  input: AsyncIterable<Uint8Array>,
  options: CatalogueImportOptions,
): Promise<ImportReport> {
  const scratch = openScratch(dirname(store.handle.filename))
  try {
    const tally = new LineTally()
    const file = new Spool(scratch.handle)
    const header = await readFile(input, file, tally)
    const about = { source: options.source ?? header?.name ?? '', mode: header?.mode ?? 'upsert' }
    if (header === undefined) return tally.report({ ...about, lines: file.lines, estimated: none })
    const plan = planOf(header, options)
    if (options.isTrusted === true) {
      await keepImport(targetOf(store), file, plan)
      const { estimated } = await apply(store, plan, options, tally)
      return tally.report({ ...about, lines: file.lines, estimated })
    }
    await copyCatalogue(scratch.handle, store.handle.filename)
    const { deferred, estimated } = await judge(scratch.handle, file, plan, options, tally)
    const report = tally.report({ ...about, lines: file.lines, estimated })
    if (report.failed || !isApproved(scratch.handle, store, options, file.lines)) return report
    if (options.dryRun === true) return report
    await keepImport(targetOf(store), file, { ...plan, deferred })
    const late = new LineTally()
    await apply(store, { ...plan, deferred }, options, late)
    return { ...report, warnings: [...report.warnings, ...leftOut(late)] }
  } finally {
    scratch.close()
  }
}

const planOf = (header: Header, options: CatalogueImportOptions): PendingImport => ({
  source: options.source ?? header.name,
  mode: header.mode,
  preserveIds: header.preserveIds,
  matchTitles: options.matchTitles ?? false,
  deferred: undefined,
  loaded: options.loaded,
})

async function judge(
  handle: Database,
  file: Spool,
  plan: PendingImport,
  { now, force = false, onProgress, onConflict }: CatalogueImportOptions,
  tally: LineTally,
): Promise<TakenFile> {
  const piece: PieceRunner = async (work) => {
    const result = handle.transaction(work)()
    // Lets requests in, as a server may be running this.
    await new Promise<void>((resolve) => setImmediate(resolve))
    return result
  }
  const terms = { now, judging: { force }, onProgress: (lines: number) => onProgress?.(lines, 'judging') }
  return await takeFile({ handle, piece, isSearched: false, onConflict }, file, plan, terms, tally)
}

function isApproved(
  copy: Database,
  { handle }: CatalogueStore,
  { examine }: CatalogueImportOptions,
  lines: number,
): boolean {
  if (examine === undefined) return true
  copy.run('attach ? as live', [handle.filename])
  try {
    return examine(copy, lines)
  } finally {
    copy.run('detach live')
  }
}

async function applyPending(
  store: CatalogueStore,
  { now }: Pick<CatalogueImportOptions, 'now'>,
): Promise<boolean> {
  const plan = pendingImport(store.handle)
  if (plan === undefined) return false
  await apply(store, plan, { now }, new LineTally())
  return true
}

/** Applies the pending import from its beginning, skipping lines applied earlier. */
async function apply(
  store: CatalogueStore,
  plan: PendingImport,
  options: Pick<CatalogueImportOptions, 'now' | 'onProgress' | 'isTrusted'>,
  tally: LineTally,
): Promise<TakenFile> {
  const { now, onProgress } = options
  const target = targetOf(store, options.isTrusted)
  const terms = { now, judging: undefined, onProgress: (lines: number) => onProgress?.(lines, 'applying') }
  const taken = await takeFile(target, new Spool(store.handle), plan, terms, tally)
  await endImport(target, plan, now)
  return taken
}

/** Warnings for lines that passed the check but were refused because the catalogue had changed in between. */
function leftOut(late: LineTally): string[] {
  const { problems } = late.report({ source: '', mode: '', lines: 0, estimated: none })
  return problems.map(({ line, message }) => `line ${line} was left out: ${message}`)
}

/** A first import may use longer transactions, as hardly anybody else writes yet. */
const targetOf = ({ handle, write }: CatalogueStore, isFirst = false): ImportTarget => ({
  handle,
  piece: pausingRunner(write, isFirst ? 1000 : 30),
  isSearched: true,
})

const none = { episodes: 0, programs: 0 }
