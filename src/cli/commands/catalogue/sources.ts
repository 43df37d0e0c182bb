import { isoTime, withTimes } from '../../../lib/time'
import { allSources } from '../../../sources/all'
import { outcomeOf } from '../../../sources/run/runs'
import { type ListedSource, listSources } from '../../../sources/run/settings'
import { type Command, json } from '../../command'
import { withExistingStore } from '../../open'
import { table } from '../../table'

export const catalogueSources: Command = {
  name: 'catalogue sources',
  summary: 'Lists the sources of catalogue data, and the results of their last runs.',
  operands: [],
  options: [json],
  examples: ['kiroku catalogue sources', 'kiroku catalogue sources --json'],
  run: async (call) => {
    const listed = await withExistingStore(call, ({ read }) => listSources(read, allSources))
    if (call.get(json)) return await call.print(JSON.stringify(listed.map(written), null, 2))
    await call.print(table([heads, ...listed.map(cells)]))
  },
}

const heads = ['NAME', 'ON', 'LAST RUN (UTC)', 'OUTCOME', 'NEXT RUN (UTC)', 'LICENCE', 'CONTACTS']

const cells = ({ source, isEnabled, lastRun, nextRunAt, location }: ListedSource) => [
  ...[source.name, isEnabled ? 'on' : 'off', minute(lastRun?.startedAt)],
  lastRun === undefined ? '-' : outcomeOf(lastRun),
  ...[minute(nextRunAt), source.licence],
  source.hosts.length === 0 ? (location ?? 'the location that is set') : source.hosts.join(' '),
]

const minute = (at: number | undefined) =>
  at === undefined ? '-' : isoTime(at).slice(0, 16).replace('T', ' ')

const written = ({ source, lastRun, ...setting }: ListedSource) => ({
  name: source.name,
  title: source.title,
  licence: source.licence,
  home: source.home,
  hosts: source.hosts,
  interval_ms: source.intervalMs ?? null,
  needs: source.settings,
  is_enabled: setting.isEnabled,
  location: setting.location ?? null,
  has_token: setting.hasToken,
  ...withTimes({ next_run_at: setting.nextRunAt ?? null, last_run_at: lastRun?.startedAt ?? null }),
  failures: setting.failures,
  last_run: lastRun?.id ?? null,
  last_outcome: lastRun?.outcome ?? null,
  last_message: lastRun?.message ?? null,
})
