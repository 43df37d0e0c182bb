import { settings } from '../../../config'
import type { Store } from '../../../db/open'
import { Failure } from '../../../lib/failure'
import { withTimes } from '../../../lib/time'
import type { Option } from '../../../options/option'
import { allSources } from '../../../sources/all'
import { createSourceFetch } from '../../../sources/fetch/source-fetch'
import { knownFromDatabase } from '../../../sources/known-from-database'
import type { RunOptions } from '../../../sources/run/begin'
import { isWell } from '../../../sources/run/end'
import { formatRun } from '../../../sources/run/format-run'
import type { EndedRun } from '../../../sources/run/run-source'
import type { Cause, SourceRun } from '../../../sources/run/runs'
import type { RunTools } from '../../../sources/run/tools'
import { replayAgain, updateCatalogue } from '../../../sources/run/update'
import { positiveInteger, wholeNumber } from '../../../values/number'
import { anyText, either } from '../../../values/text'
import { realDay, season } from '../../../values/time'
import { InvalidValue, mapped } from '../../../values/value'
import { type CliCall, type Command, flag, json } from '../../command'
import { withStore } from '../../open'
import { createProgress } from '../../progress'
import { runningAddress } from '../../server/address-file'
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

/** The given texts, joined by line feeds. */
const seasonOption: Option<readonly string[]> = {
  name: 'season',
  type: 'YEAR-SEASON',
  sentence: 'Imports the works of this season, such as 2026-autumn; may be repeated.',
  defaultText: 'the season before last to the one after next',
  defaultValue: [],
  repeatable: true,
  value: mapped(anyText, (text) => {
    const seasons = text.split('\n')
    const wrong = seasons.map((name) => one.read(name)).find((read) => read instanceof InvalidValue)
    return wrong ?? seasons
  }),
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

const one = season('[1-9][0-9]{3}', (t, form) => t.values.seasonName(form))

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

const written = ({ id, source, cause, isDryRun, scope, outcome, message, ...run }: SourceRun) => ({
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

/** Throws one failure about all runs that did not go well; its kind is the worst of theirs. */
export function refuseUnwell(ended: readonly EndedRun[]): void {
  const unwell = ended.filter(({ run }) => !isWell(run.outcome))
  if (unwell.length === 0) return
  const text = unwell.map(({ run }) => `${run.source}: ${run.message}`).join('; ')
  if (unwell.some(({ run }) => run.outcome === 'failed')) throw new Error(text)
  const kinds = unwell.map(kindOf)
  throw new Failure(order.find((kind) => kinds.includes(kind)) ?? 'data', text)
}

const order = ['config', 'data', 'busy'] as const

const kindOf = ({ run, fault }: EndedRun): (typeof order)[number] => {
  if (fault?.isConfig === true) return 'config'
  return run.outcome === 'unreachable' ? 'busy' : 'data'
}
