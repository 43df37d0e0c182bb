import { importCatalogue } from '../../../catalogue/import/import-catalogue'
import type { Stage } from '../../../catalogue/import/import-options'
import { formatReport, type ImportReport, problemLines } from '../../../catalogue/import/report'
import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import type { Option } from '../../../options/option'
import { nonBlank } from '../../../values/text'
import { type CliCall, type Command, flag, json } from '../../command'
import { withSource } from '../../import-source'
import { withStore } from '../../open'
import { createProgress } from '../../progress'

const dryRun = flag('dry-run', 'Reports what the import would do, and changes nothing.')
const force = flag('force', 'Allows a snapshot to hide more than a tenth of what it listed before.')
const matchTitles = flag('match-titles', 'Also matches works by title if no id matches.')

const source: Option<string | undefined> = {
  name: 'source',
  type: 'NAME',
  sentence: 'The name of the source, instead of the one in the file.',
  defaultText: '',
  defaultValue: undefined,
  value: nonBlank,
}

export const catalogueImport: Command = {
  name: 'catalogue import',
  summary: 'Imports a catalogue from a file, standard input (-) or a URL: completely or not at all.',
  operands: [{ name: 'FILE|-|URL' }],
  options: [dryRun, json, force, source, matchTitles],
  examples: [
    'kiroku catalogue import catalogue.jsonl --dry-run',
    'kiroku catalogue import https://example.com/catalogue.jsonl.zst',
    'my-export | kiroku catalogue import - --source mine',
  ],
  run: async (call) => {
    const [name = ''] = call.operands
    const data = call.get(settings.data)
    const report = await withStore(call, (store) => {
      const options = optionsOf(call)
      return withSource(name, data, (bytes) => importCatalogue(store, bytes, options).finally(options.end))
    })
    await printReport(call, report)
  },
}

function optionsOf(call: CliCall) {
  const progress = createProgress()
  const named = call.get(source)
  return {
    now: call.now(),
    dryRun: call.get(dryRun),
    force: call.get(force),
    matchTitles: call.get(matchTitles),
    ...(named === undefined ? {} : { source: named }),
    onProgress: (lines: number, stage: Stage) =>
      progress.show(`${stage}: ${lines.toLocaleString('en')} lines`),
    end: progress.end,
  }
}

async function printReport(call: CliCall, report: ImportReport): Promise<void> {
  if (call.get(json)) await call.print(JSON.stringify(report, null, 2))
  else if (!report.failed) await call.print(formatReport(report))
  if (!report.failed) return
  await call.note(problemLines(report).join('\n'))
  const { problemsCount: n } = report
  throw new Failure('data', `${n} problem${n === 1 ? '' : 's'}: nothing was changed`)
}
