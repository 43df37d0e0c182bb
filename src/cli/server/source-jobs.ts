import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import { takeSourcesLock } from '../../db/lock'
import type { Deps } from '../../deps'
import { exitCodes, Failure } from '../../lib/failure'
import { sourceUrlPrefix } from '../../options/environment'
import { type Ended, runApart } from './apart'

export interface SourceJobs {
  /** Ends a run; the next start continues it. */
  stop(): Promise<void>
}

type SourceJobDeps = Pick<Deps, 'config' | 'now' | 'steady' | 'log' | 'read' | 'write'>

/**
 * Queries the catalogue sources that are due, from ten minutes after the start, and those that an
 * administrator requests, one at a time in a process of its own. Contacts nobody while no source is enabled.
 */
export function startSourceJobs(
  deps: SourceJobDeps,
  { run = runApart, everyMs = 5000, firstAfterMs = 600_000 } = {},
): SourceJobs {
  const stopping = new AbortController()
  const dueFrom = deps.steady() + firstAfterMs
  let restUntil = 0
  let running = tidy(deps)
  const look = async () => {
    await findInterrupted(deps)
    if (deps.steady() < restUntil) return
    const [wanted] = [...(await wantedNow(deps)), ...(deps.steady() < dueFrom ? [] : await dueNow(deps))]
    if (wanted === undefined) return
    const ended = await run([...wanted, ...wordsFor(deps)], {
      signal: stopping.signal,
      isQuiet: true,
      env: otherServers(),
    })
    if (!report(deps, ended)) restUntil = deps.steady() + 600_000
  }
  const lookLater = (): ReturnType<typeof setTimeout> =>
    setTimeout(() => {
      running = look()
        .catch((cause) => deps.log('source_failed', { why: String(cause) }))
        .then(() => {
          if (!stopping.signal.aborted) timer = lookLater()
        })
    }, everyMs).unref()
  let timer = lookLater()
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/** More than 30 days plus a fifth. */
const longestMs = 40 * 86_400_000

type Words = readonly string[]

/** Runs that were started on a page and are waiting to continue. */
async function wantedNow({ read, now }: SourceJobDeps): Promise<Words[]> {
  const runs = await read
    .selectFrom('catalogue_runs')
    .select(['source', 'is_dry_run'])
    .where('ended_at', 'is', null)
    .where('cause', '=', 'page')
    .where('started_at', '>', now() - 86_400_000)
    .orderBy('id')
    .execute()
  return runs.map(({ source, is_dry_run }) => [
    ...['catalogue', 'update', source, '--cause', 'page'],
    ...(is_dry_run === 1 ? ['--dry-run'] : []),
  ])
}

/** A time that no interval could have led to means that the clock has been set back since. */
async function dueNow({ read, now }: SourceJobDeps): Promise<Words[]> {
  const sources = await read
    .selectFrom('catalogue_sources')
    .select('name')
    .where('is_enabled', '=', 1)
    .where(({ or, eb }) => or([eb('next_run_at', '<=', now()), eb('next_run_at', '>', now() + longestMs)]))
    .execute()
  if (sources.length === 0) return []
  return [['catalogue', 'update', ...sources.map(({ name }) => name), '--cause', 'schedule']]
}

const wordsFor = ({ config }: SourceJobDeps) => [
  ...['--json', '--data', config.data, '--base-url', config.baseUrl],
  ...(config.catalogueContact === undefined ? [] : ['--catalogue-contact', config.catalogueContact]),
]

/** Local servers to query instead of the sources' own, for example in tests. */
const otherServers = () =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] =>
      entry[0].startsWith(sourceUrlPrefix),
    ),
  )

/** Returns whether any runs were completed. */
function report({ log }: SourceJobDeps, { code, said, complained }: Ended): boolean {
  const runs = parseJson(said)
  for (const run of Array.isArray(runs) ? runs.filter(isObject) : []) {
    log('source_run', {
      source: String(run.source),
      run: Number(run.id),
      outcome: String(run.outcome),
      requests: Number(run.requests),
      why: run.message === null ? undefined : String(run.message),
    })
  }
  if (Array.isArray(runs) && runs.length > 0) return true
  const isNothing = code === exitCodes.busy || code === 128 + 15
  if (!isNothing) log('source_failed', { why: complained.trim() || `it ended with exit code ${code}` })
  return false
}

/** Deletes what an interrupted run left behind. */
async function tidy(deps: SourceJobDeps): Promise<void> {
  if (!existsSync(join(deps.config.data, 'catalogue-answers'))) return
  const [{ tidyAnswers }, { AnswerFiles }] = await Promise.all([
    import('../../sources/run/keep'),
    import('../../sources/run/answer-files'),
  ])
  const files = new AnswerFiles(deps.config.data)
  await unlessUpdating(deps, () => tidyAnswers({ store: deps, now: deps.now }, files)).catch((cause) =>
    deps.log('source_failed', { why: String(cause) }),
  )
}

/** A run without an end was interrupted if nobody holds the lock; pages show this. */
async function findInterrupted(deps: SourceJobDeps): Promise<void> {
  const [run] = await deps.read
    .selectFrom('catalogue_runs')
    .select('id')
    .where('ended_at', 'is', null)
    .where('message', 'is', null)
    .where('cause', '<>', 'page')
    .limit(1)
    .execute()
  if (run === undefined) return
  const { noteInterrupted } = await import('../../sources/run/journal')
  await unlessUpdating(deps, () => noteInterrupted(deps))
}

async function unlessUpdating({ config }: SourceJobDeps, work: () => Promise<void>): Promise<void> {
  try {
    const lock = await takeSourcesLock(config.data, 0)
    await work().finally(lock.release)
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.exitCode !== exitCodes.busy) throw cause
  }
}
