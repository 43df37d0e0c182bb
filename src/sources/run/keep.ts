import type { AnswerFiles } from './answer-files'
import { interrupted, type JournalStore } from './journal'
import type { RunTools } from './tools'

const keptRuns = 3
const mostBytes = 64 * 1024 * 1024
const resumedFor = 86_400_000
const oldestRun = 90 * 86_400_000

/**
 * Ends runs that were not resumed within a day. Deletes runs older than 90 days, answers except those of the last three
 * runs of each source that fit into `most` bytes, and files without a row. The caller holds the sources' lock.
 */
export async function tidyAnswers(
  { store, now }: Pick<RunTools, 'now'> & { readonly store: JournalStore },
  files: AnswerFiles,
  most = mostBytes,
): Promise<void> {
  await store.write(async (tx) => {
    await tx
      .deleteFrom('catalogue_runs')
      .where('started_at', '<', now() - oldestRun)
      .execute()
    await tx
      .updateTable('catalogue_runs')
      .set({ ended_at: now(), outcome: 'failed', message: interrupted })
      .where('ended_at', 'is', null)
      .where('started_at', '<', now() - resumedFor)
      .execute()
    const runs = await tx
      .selectFrom('catalogue_answers as answer')
      .innerJoin('catalogue_runs as run', 'run.id', 'answer.run_id')
      .select(({ fn }) => [
        'run.id',
        'run.source',
        'run.ended_at',
        fn.sum<number>('answer.bytes').as('bytes'),
      ])
      .groupBy('run.id')
      .orderBy('run.id', 'desc')
      .execute()
    const dropped = droppedOf(runs, most)
    if (dropped.length > 0) await tx.deleteFrom('catalogue_answers').where('run_id', 'in', dropped).execute()
  })
  const kept = await store.read.selectFrom('catalogue_answers').select(['run_id as run', 'number']).execute()
  files.deleteOthers(kept)
}

interface KeptRun {
  readonly id: number
  readonly source: string
  readonly ended_at: number | null
  readonly bytes: number
}

/** `runs` are ordered from newest to oldest. An unfinished run needs its answers to resume. */
function droppedOf(runs: readonly KeptRun[], most: number): number[] {
  const bySource = new Map<string, number>()
  let bytes = 0
  return runs
    .filter(({ source, ended_at, bytes: size }) => {
      const newer = bySource.get(source) ?? 0
      bySource.set(source, newer + 1)
      const isKept = ended_at === null || (newer < keptRuns && bytes + size <= most)
      if (isKept) bytes += size
      return !isKept
    })
    .map(({ id }) => id)
}
