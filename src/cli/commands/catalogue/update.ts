import { settings } from '../../../config'
import type { Store } from '../../../db/open'
import { Failure } from '../../../lib/failure'
import { withTimes } from '../../../lib/time'
import type { Option } from '../../../options/option'
import { allSources } from '../../../sources/all'
import { createSourceFetch } from '../../../sources/fetch/source-fetch'
import { knownFromDatabase } from '../../../sources/known-from-database'
import type { RunOptions } from '../../../sources/run/begin'
import { formatRun } from '../../../sources/run/format-run'
import type { EndedRun } from '../../../sources/run/run-source'
import type { Cause, Run } from '../../../sources/run/runs'
import type { RunTools } from '../../../sources/run/tools'
import { replayAgain, updateCatalogue } from '../../../sources/run/update'
import { positiveInteger, wholeNumber } from '../../../values/number'
import { either } from '../../../values/text'
import { realDay } from '../../../values/time'
import { type CliCall, type Command, flag, json } from '../../command'
import { withStore } from '../../open'
import { createProgress } from '../../progress'
import { runningAddress } from '../../server/address-file'
import { refuseUnwell } from './refuse-unwell'
import { seasonOption } from './season-option'
import { wantedSources } from './wanted-sources'

const dryRun = flag('dry-run', 'Queries, converts and reports what would change, but changes nothing.')
const full = flag('full', 'Imports everything that the source has, not only current seasons.')
const force = flag('force', 'Imports even what is held back because it would change too much.')

const since: Option<string | undefined> = {
  name: 'since',
  type: 'YYYY-MM-DD',
  sentence: 'Imports what has changed since that day.',
  defaultText: '',
  defaultValue: undefined,
  value: realDay((t) => t.values.realDay),
}

const limit: Option<number | undefined> = {
  name: 'limit',
  type: 'N',
  sentence: 'Imports at most this many works.',
  defaultText: '',
  defaultValue: undefined,
  value: wholeNumber(1, 1_000_000),
}

const replay: Option<number | undefined> = {
  name: 'replay',
  type: 'RUN',
  sentence: 'Converts the stored answers of an earlier run again, without any request.',
  defaultText: '',
  defaultValue: undefined,
  value: positiveInteger,
}

const cause: Option<Cause> = {
  name: 'cause',
  type: 'schedule|command|page',
  sentence: 'The recorded cause of the run; set by the server.',
  defaultText: 'command',
  defaultValue: 'command',
  value: either(['schedule', 'command', 'page']),
}

export const catalogueUpdate: Command = {
  name: 'catalogue update',
  summary: 'Updates the catalogue from sources: those named, or all that are enabled.',
  operands: [{ name: 'SOURCE', optional: true, rest: true }],
  options: [dryRun, since, seasonOption, full, limit, force, json, replay, cause],
  examples: [
    'kiroku catalogue update --dry-run',
    'kiroku catalogue update annict --season 2026-autumn --season 2027-winter',
    'kiroku catalogue update --replay 12 --dry-run',
  ],
  run: async (call) => {
    const ended = await withStore(call, (store) => update(call, store))
    if (call.get(json))
      await call.print(
        JSON.stringify(
          ended.map(({ run }) => written(run)),
          null,
          2,
        ),
      )
    refuseUnwell(ended)
  },
}

async function update(call: CliCall, store: Store): Promise<EndedRun[]> {
  const progress = createProgress()
  const tools = toolsOf(call, store, progress.show)
  const onEnd = async ({ run }: EndedRun) => {
    progress.end()
    if (!call.get(json)) await call.print(formatRun(run))
  }
  const [replayed, options] = [call.get(replay), optionsOf(call)]
  try {
    if (replayed === undefined) {
      const sources = await wantedSources(store.read, call.operands)
      return await updateCatalogue(tools, sources, options, onEnd)
    }
    if (call.operands.length > 0)
      throw new Failure('usage', '--replay: the run already determines the source')
    const ended = await replayAgain(tools, allSources, replayed, options)
    await onEnd(ended)
    return [ended]
  } finally {
    progress.end()
  }
}

const optionsOf = (call: CliCall): RunOptions => ({
  cause: call.get(cause),
  asked: {
    seasons: call.get(seasonOption),
    since: call.get(since),
    isFull: call.get(full),
    limit: call.get(limit),
  },
  isDryRun: call.get(dryRun),
  isForced: call.get(force),
})

function toolsOf(call: CliCall, store: Store, onProgress: (text: string) => void): RunTools {
  const { get, now, random } = call
  const baseUrl = get(settings.baseUrl) || runningAddress(get(settings.data))?.baseUrl || 'http://localhost'
  const contact = get(settings.catalogueContact)
  return {
    store,
    fetch: createSourceFetch({ write: store.write, now, baseUrl, contact, env: process.env }),
    knownFrom: knownFromDatabase,
    now,
    random,
    // A signal ends the process, and the next run continues this one.
    signal: new AbortController().signal,
    onProgress,
  }
}

const written = ({ id, source, cause, isDryRun, scope, outcome, message, ...run }: Run) => ({
  id,
  source,
  cause,
  is_dry_run: isDryRun,
  scope,
  outcome,
  message,
  ...withTimes({ started_at: run.startedAt, ended_at: run.endedAt }),
  requests: run.requests,
  not_modified: run.notModified,
  bytes: run.bytes,
  report: run.report,
})
