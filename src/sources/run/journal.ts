import type { Validators } from '../../fetching/validators'
import type { AnySource, RunScope, SourceRequest, SourceState } from '../source'
import type { AnswerNumber } from './answer-files'
import type { Cause, Outcome, SourceRun } from './runs'
import { scopeKey } from './scope'
import type { RunTools } from './tools'

export type JournalStore = Pick<RunTools['store'], 'read' | 'write'>

export interface KeptAnswer extends Validators {
  readonly place: AnswerNumber
  readonly url: string
  readonly kind: string
  readonly posted: string | null
  readonly isUnmodified: boolean
}

export type BegunRun = Pick<SourceRun, 'id' | 'isDryRun' | 'scope'> & { readonly state: SourceState }

export async function beginRun(
  { write }: JournalStore,
  run: Omit<BegunRun, 'id'> & Pick<SourceRun, 'source' | 'cause' | 'startedAt'>,
): Promise<BegunRun> {
  const { isDryRun, scope, state, startedAt, ...about } = run
  const row = { ...about, is_dry_run: Number(isDryRun), started_at: startedAt }
  const { id } = await write((tx) =>
    tx
      .insertInto('catalogue_runs')
      .values({ ...row, scope: JSON.stringify(scope), state: JSON.stringify(state) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { id, isDryRun, scope, state }
}

/** The source's interrupted run, if there is one. */
export async function interruptedRun({ read }: JournalStore, source: string) {
  const row = await read
    .selectFrom('catalogue_runs')
    .select(['id', 'is_dry_run', 'scope', 'state', 'started_at'])
    .where('source', '=', source)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const run: BegunRun = {
    id: row.id,
    isDryRun: row.is_dry_run === 1,
    scope: JSON.parse(row.scope),
    state: JSON.parse(row.state),
  }
  return { ...run, startedAt: row.started_at }
}

export async function takeUp({ write }: JournalStore, id: number, cause: Cause): Promise<void> {
  await write((tx) =>
    tx.updateTable('catalogue_runs').set({ cause, message: null }).where('id', '=', id).execute(),
  )
}

/** Marks unfinished runs that nobody works on, except those a page requested. The caller holds the sources' lock. */
export async function noteInterrupted({ write }: Pick<JournalStore, 'write'>): Promise<void> {
  await write((tx) =>
    tx
      .updateTable('catalogue_runs')
      .set({ message: interrupted })
      .where('ended_at', 'is', null)
      .where('cause', '<>', 'page')
      .execute(),
  )
}

export const interrupted = 'it was interrupted'

/** Ends the unfinished runs of a source, except `but`. */
export async function endInterrupted(
  { write }: JournalStore,
  source: string,
  now: number,
  but = 0,
): Promise<void> {
  const outcome: Outcome = 'failed'
  await write((tx) =>
    tx
      .updateTable('catalogue_runs')
      .set({ ended_at: now, outcome, message: interrupted })
      .where('source', '=', source)
      .where('ended_at', 'is', null)
      .where('id', '<>', but)
      .execute(),
  )
}

/** In the order of their requests. */
export async function answersOf({ read }: JournalStore, run: number): Promise<KeptAnswer[]> {
  const rows = await read
    .selectFrom('catalogue_answers')
    .select(['number', 'url', 'kind', 'posted', 'etag', 'last_modified', 'is_unmodified'])
    .where('run_id', '=', run)
    .orderBy('number')
    .execute()
  return rows.map(({ number, url, kind, posted, etag, last_modified, is_unmodified }) => ({
    place: { run, number },
    url,
    kind,
    posted,
    etag,
    lastModified: last_modified,
    isUnmodified: is_unmodified === 1,
  }))
}

export async function noteAnswer(
  { write }: JournalStore,
  answer: KeptAnswer,
  { received, kept, isAsked = true }: { received: number; kept: number; isAsked?: boolean },
): Promise<void> {
  const { place, url, kind, posted, etag, lastModified, isUnmodified } = answer
  const row = {
    run_id: place.run,
    number: place.number,
    url,
    kind,
    posted,
    etag,
    last_modified: lastModified,
    is_unmodified: Number(isUnmodified),
    bytes: kept,
  }
  await write(async (tx) => {
    await tx.insertInto('catalogue_answers').values(row).execute()
    await tx
      .updateTable('catalogue_runs')
      .set(({ eb }) => ({
        requests: eb('requests', '+', Number(isAsked)),
        not_modified: eb('not_modified', '+', Number(isAsked && isUnmodified)),
        bytes: eb('bytes', '+', received),
      }))
      .where('id', '=', place.run)
      .execute()
  })
}

export async function forgetAnswers({ write }: JournalStore, { run, number }: AnswerNumber): Promise<void> {
  await write((tx) =>
    tx.deleteFrom('catalogue_answers').where('run_id', '=', run).where('number', '>=', number).execute(),
  )
}

/** The last answer to this request in a successful run with the same scope. */
export async function formerAnswer(
  { read }: JournalStore,
  source: AnySource,
  asked: { readonly url: string; readonly request: SourceRequest; readonly scope: RunScope },
): Promise<(Validators & Pick<KeptAnswer, 'place'>) | undefined> {
  const row = await read
    .selectFrom('catalogue_answers as answer')
    .innerJoin('catalogue_runs as run', 'run.id', 'answer.run_id')
    .select(['run.id', 'run.scope', 'answer.number', 'answer.etag', 'answer.last_modified'])
    .where('run.source', '=', source.name)
    .where('run.is_dry_run', '=', 0)
    .where('run.outcome', 'in', ['done', 'unchanged'])
    .where('answer.url', '=', asked.url)
    .where('answer.kind', '=', asked.request.as)
    .orderBy('run.id', 'desc')
    .orderBy('answer.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined || scopeKey(JSON.parse(row.scope)) !== scopeKey(asked.scope)) return undefined
  const { id, number, etag, last_modified } = row
  return { place: { run: id, number }, etag, lastModified: last_modified }
}
