import { Failure } from '../../lib/failure'
import type { AnySource } from '../source'
import type { AnswerFiles } from './answer-files'
import {
  answersOf,
  type BegunRun,
  beginRun,
  endInterrupted,
  interruptedRun,
  type JournalStore,
  noteAnswer,
  takeUp,
} from './journal'
import type { Cause } from './runs'
import { type AskedScope, isUsual, scopeKey, scopeOf } from './scope'
import { sourceRow } from './settings'
import type { RunTools } from './tools'

export interface RunOptions {
  readonly cause: Cause
  readonly asked: AskedScope
  readonly isDryRun: boolean
  /** Imports what the guard rails would hold back. */
  readonly isForced: boolean
}

/** Resumes a run interrupted within the last day, unless this one asks for something else; otherwise starts a new one. */
export async function takeUpOrBegin(
  { store, now }: Pick<RunTools, 'now'> & { readonly store: JournalStore },
  source: AnySource,
  { cause, asked, isDryRun }: RunOptions,
): Promise<BegunRun> {
  const startedAt = now()
  const scope = scopeOf(asked, startedAt)
  const left = await interruptedRun(store, source.name)
  const isWanted = left?.isDryRun === isDryRun && (isUsual(asked) || scopeKey(left.scope) === scopeKey(scope))
  const isYoung = left !== undefined && Math.abs(startedAt - left.startedAt) < aDay
  const takenUp = isWanted && isYoung ? left : undefined
  await endInterrupted(store, source.name, startedAt, takenUp?.id)
  if (takenUp !== undefined) {
    await takeUp(store, takenUp.id, cause)
    return takenUp
  }
  const state = JSON.parse((await sourceRow(store.read, source.name))?.state ?? '{}')
  return await beginRun(store, { source: source.name, cause, isDryRun, scope, state, startedAt })
}

/** Starts a run with the answers of a former one. Throws a `noInput` failure if they are no longer stored. */
export async function beginReplay(
  { store, now }: RunTools,
  files: AnswerFiles,
  replayed: number,
  { cause, isDryRun }: RunOptions,
): Promise<BegunRun & { readonly source: string }> {
  const former = await store.read
    .selectFrom('catalogue_runs')
    .select(['source', 'scope', 'state'])
    .where('id', '=', replayed)
    .executeTakeFirst()
  if (former === undefined) throw new Failure('noInput', `there is no run ${replayed}`)
  const answers = await answersOf(store, replayed)
  if (answers.length === 0 || !answers.every(({ place }) => files.has(place)))
    throw new Failure('noInput', `the answers of run ${replayed} are no longer stored`)
  const about = { scope: JSON.parse(former.scope), state: JSON.parse(former.state), isDryRun }
  const { source } = former
  const begun = await beginRun(store, { ...about, source, cause, startedAt: now() })
  for (const answer of answers) {
    const place = { run: begun.id, number: answer.place.number }
    const kept = files.copy(answer.place, place)
    await noteAnswer(store, { ...answer, place }, { received: 0, kept, isAsked: false })
  }
  return { ...begun, source }
}

const aDay = 86_400_000
