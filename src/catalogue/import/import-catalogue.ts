import type { Database } from 'bun:sqlite'
import { applyEstimates } from '../estimate/apply-estimates'
import { compactIndex, reindexRow } from '../search'
import { fileLines, Unreadable } from './file-lines'
import type { ImportOptions } from './import-options'
import { LineReader } from './line-reader'
import { type ImportReport, Tally } from './report'
import type { Run } from './run'
import { hideAbsent } from './snapshot-mode'
import { dropSuperseded } from './superseded'

/**
 * Imports a file of catalogue JSONL, version 1, plain or packed by gzip or zstd, in one transaction: a file with any
 * problem changes nothing. `handle` belongs to the import until it is done; other connections may read meanwhile.
 */
export async function importCatalogue(
  handle: Database,
  input: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportReport> {
  handle.run('begin immediate')
  try {
    const report = await importLines(handle, input, options)
    if (!report.failed) options.conclude?.()
    handle.run(report.failed || options.dryRun === true ? 'rollback' : 'commit')
    return report
  } finally {
    if (handle.inTransaction) handle.run('rollback')
  }
}

async function importLines(
  handle: Database,
  input: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportReport> {
  const tally = new Tally()
  const reader = new LineReader(handle, tally, options)
  try {
    for await (const lines of fileLines(input)) {
      for (const line of lines) reader.read(line)
      options.onProgress?.(reader.lines)
    }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    tally.problem(reader.lines + 1, `the file cannot be read any further: ${cause.message}`)
  }
  const run = reader.end()
  const estimated = run === undefined || tally.failed ? none : complete(run, reader.isSnapshot, options)
  return tally.report({ ...reader.about, lines: reader.lines, estimated })
}

/** What follows from the file as a whole. */
function complete(run: Run, isSnapshot: boolean, { now, force = false }: ImportOptions) {
  run.claims.flush()
  const refusal = isSnapshot ? hideAbsent(run, force) : undefined
  if (refusal !== undefined) {
    run.tally.problem(0, refusal)
    return none
  }
  dropSuperseded(run)
  const estimated = applyEstimates(run.handle, now)
  for (const [kind, rows] of run.stale) {
    // A row below the one before makes FTS5 write out what it gathered.
    for (const id of [...rows].toSorted((one, other) => one - other)) reindexRow(run.handle, kind, id)
    if (rows.size >= worthCompacting) compactIndex(run.handle, kind)
  }
  return estimated
}

const none = { episodes: 0, programs: 0 }
const worthCompacting = 1000
